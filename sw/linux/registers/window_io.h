/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

/*
 * Registers of an engine that is fed by stores and loads, for
 * sw/hal/window_engine.c. The engine reaches no memory: only the order of
 * these accesses matters, which the relaxed ones keep.
 */
#ifndef CRYPTILE_REGISTERS_WINDOW_IO_H
#define CRYPTILE_REGISTERS_WINDOW_IO_H

#include <linux/io.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct window_port_t - the two blocks of registers
 * @shell: regs/axis.rdl
 * @window: regs/window.rdl
 */
typedef struct {
	void __iomem *shell;
	void __iomem *window;
} window_port_t;

static inline uint32_t window_shell_read(const window_port_t *port, size_t at)
{
	return readl_relaxed(port->shell + at);
}

static inline void window_shell_write(const window_port_t *port, size_t at,
				      uint32_t value)
{
	writel_relaxed(value, port->shell + at);
}

static inline uint64_t window_read(const window_port_t *port, size_t at)
{
	return readq_relaxed(port->window + at);
}

static inline void window_write(const window_port_t *port, size_t at,
				uint64_t value)
{
	writeq_relaxed(value, port->window + at);
}

#endif /* CRYPTILE_REGISTERS_WINDOW_IO_H */
