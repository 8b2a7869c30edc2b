// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Attributes of the functions that the headers declare.
#ifndef CRYPTILE_ATTRIBUTES_H
#define CRYPTILE_ATTRIBUTES_H

// A result that must not be ignored. The compiler warns of a caller that does, even of one that
// casts it to void.
#if defined(__GNUC__)
#define CRYPTILE_MUST_CHECK __attribute__((warn_unused_result))
#else
#define CRYPTILE_MUST_CHECK
#endif

#endif  // CRYPTILE_ATTRIBUTES_H
