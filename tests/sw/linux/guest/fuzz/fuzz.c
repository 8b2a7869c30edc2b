// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * The kernel's own tests of an algorithm, also those with random messages,
 * which Debian's kernel is built without: crypto/testmgr.c of the kernel's
 * source, as it is, in a module. Tells in the kernel's log how it went.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <crypto/internal/simd.h>
#include <linux/module.h>

/* Of this module alone: the kernel has a function of that name. */
#define alg_test fuzz_alg_test
#undef EXPORT_SYMBOL_GPL
#define EXPORT_SYMBOL_GPL(name)

#include "testmgr.c"

DEFINE_PER_CPU(bool, crypto_simd_disabled_for_test);

static char *driver;
module_param(driver, charp, 0);
MODULE_PARM_DESC(driver, "Driver that is tested");

static char *alg;
module_param(alg, charp, 0);
MODULE_PARM_DESC(alg, "Its algorithm");

static int __init fuzz_init(void) {
  if (!driver || !alg)
    return -EINVAL;
  if (alg_find_test(alg) < 0)
    pr_info("no tests of %s\n", driver);
  else
    pr_info("%s: %d\n", driver, alg_test(driver, alg, 0, 0));
  return 0;
}
module_init(fuzz_init);

/* There is nothing to undo: the module can go, and be loaded again. */
static void __exit fuzz_exit(void) {
}
module_exit(fuzz_exit);

MODULE_DESCRIPTION("The kernel's tests of an algorithm");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
