/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

/* The generated register header asks for this name: Linux has the types. */
#ifndef CRYPTILE_COMPAT_STDINT_H
#define CRYPTILE_COMPAT_STDINT_H

#include <linux/types.h>

#endif /* CRYPTILE_COMPAT_STDINT_H */
