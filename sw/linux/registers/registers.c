// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * A driver of an engine without DMA, to compare with: a system call is one
 * message; it is copied, stored into the engine's registers word by word while
 * its result is loaded from others, and that is copied back. The engine is
 * polled. The calls are those of the plain driver.
 */

#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "command.h"
#include "tile_alg.h"
#include "window_engine.h"

#define TAG_BYTES 16

/**
 * struct registers - the device
 * @file: /dev/cryptile-registers
 * @engine: of the driver without an operating system
 * @alg: NULL: none was chosen, or the engine has lost its key
 * @iv_len: bytes of a message's IV
 * @data: a message and its tag
 */
struct registers {
	struct plain_file file;
	window_engine_t engine;
	const tile_alg_t *alg;
	unsigned int iv_len;
	u8 data[MOST_BYTES + TAG_BYTES] __aligned(sizeof(u64));
};

/* Whether the engine takes this IV as it is. */
static bool takes(const tile_alg_t *alg, unsigned int iv_len)
{
	if (alg->opcode != TileAes)
		return false;
	switch (alg->family) {
	case TileEcb:
	case TileCbc:
	case TileCtr:
		return cry_tile_takes_iv(alg->family, iv_len);
	case TileGcm:
		return iv_len == 12;
	default:
		return false;
	}
}

static int setup(struct plain_file *file, const struct plain_setup *wanted)
{
	struct registers *registers =
		container_of(file, struct registers, file);
	const tile_alg_t *alg = cry_tile_alg(wanted->alg);

	registers->alg = NULL;
	if (!alg || !takes(alg, wanted->iv_len) ||
	    cry_window_key(&registers->engine, alg->mode, wanted->key,
			   alg->key_bytes) != CRYPTILE_OK)
		return -EINVAL;
	registers->iv_len = wanted->iv_len;
	registers->alg = alg;
	return 0;
}

static int run(struct plain_file *file, struct plain_message *message)
{
	struct registers *registers =
		container_of(file, struct registers, file);
	const tile_alg_t *alg = registers->alg;
	u8 *data = registers->data;
	window_message_t job = { .src = data, .dst = data };

	if (!alg)
		return -ENODEV;
	if (message->len > MOST_BYTES ||
	    message->out_len < message->len + alg->tag_bytes)
		return -EINVAL;
	message->out_len = message->len + alg->tag_bytes;
	job.len = message->len;
	job.tag = alg->tag_bytes ? data + message->len : NULL;
	memcpy(job.iv, message->iv, registers->iv_len);
	if (copy_from_user(data, u64_to_user_ptr(message->in), message->len))
		return -EFAULT;
	if (cry_window_run(&registers->engine, &job) != CRYPTILE_OK) {
		/* The key is gone: it wants another PLAIN_SETUP. */
		registers->alg = NULL;
		memzero_explicit(data, sizeof(registers->data));
		return -EIO;
	}
	if (copy_to_user(u64_to_user_ptr(message->out), data, message->out_len))
		return -EFAULT;
	return 0;
}

/* Returns 0, or -EIO if the engine does not end what it does. */
static int stop(struct registers *registers)
{
	memzero_explicit(registers->data, sizeof(registers->data));
	return cry_window_clear(&registers->engine) == CRYPTILE_OK ? 0 : -EIO;
}

static int probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct registers *registers =
		devm_kzalloc(dev, sizeof(*registers), GFP_KERNEL);
	window_port_t port;
	int err;

	if (!registers)
		return -ENOMEM;
	port.shell = devm_platform_ioremap_resource_byname(pdev, "axis");
	if (IS_ERR(port.shell))
		return PTR_ERR(port.shell);
	port.window = devm_platform_ioremap_resource_byname(pdev, "window");
	if (IS_ERR(port.window))
		return PTR_ERR(port.window);
	if (cry_window_open(&registers->engine, port) != CRYPTILE_OK)
		return -EIO;
	platform_set_drvdata(pdev, registers);
	err = register_file(&registers->file, dev, "cryptile-registers");
	if (err)
		stop(registers);
	return err;
}

static void remove(struct platform_device *pdev)
{
	struct registers *registers = platform_get_drvdata(pdev);

	misc_deregister(&registers->file.misc);
	if (stop(registers))
		dev_err(&pdev->dev, "the engine cannot be cleared\n");
}

static const struct of_device_id of_match[] = {
	{ .compatible = "cryptile,window-engine" }, {}
};
MODULE_DEVICE_TABLE(of, of_match);

static struct platform_driver registers_driver = {
	.probe = probe,
	.remove = remove,
	.driver = {
		.name = "cryptile-registers",
		.of_match_table = of_match,
		/* Open files hold the module, and the device stays. */
		.suppress_bind_attrs = true,
	},
};
module_platform_driver(registers_driver);

MODULE_DESCRIPTION("Cryptile engine fed by stores and loads, for comparison");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
