/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

/* The generated register header asks for this name: Linux has the check. */
#ifndef CRYPTILE_COMPAT_ASSERT_H
#define CRYPTILE_COMPAT_ASSERT_H

#include <linux/build_bug.h>

#endif /* CRYPTILE_COMPAT_ASSERT_H */
