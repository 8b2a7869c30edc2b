// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Cryptile: one API over portable C and RISC-V assembly, and over engines by a dispatch table
// (cryptile/cipher.h; of PSA Crypto cryptile/psa_engine.h). Each header says what holds for
// its functions: alignment, aliasing, constant time, stack, return codes.
//
// Nothing secret stays behind a function: on its return it has zeroized the stack that it used, to
// the bound of the instruction set it is built for, with all that the compiler put there, and the
// registers that a caller does not expect to be kept. Contexts are the caller's: the functions that
// end a message wipe them. What a function gives out (codes, digests, plaintext, shared secrets) is
// the caller's too. Functions that verify with a public key take everything for public, the message
// included, and wipe nothing.
//
// Interrupt handlers that share the stack save registers below what a function used, out of its
// reach: give them a stack of their own, or let them zeroize what they have saved.
#ifndef CRYPTILE_H
#define CRYPTILE_H

#include "cryptile/aead.h"
#include "cryptile/ascon.h"
#include "cryptile/chacha20.h"
#include "cryptile/cipher.h"
#include "cryptile/cmac.h"
#include "cryptile/curve25519.h"
#include "cryptile/drbg.h"
#include "cryptile/hash.h"
#include "cryptile/hkdf.h"
#include "cryptile/hmac.h"
#include "cryptile/p256.h"
#include "cryptile/p384.h"
#include "cryptile/p521.h"
#include "cryptile/rsa.h"
#include "cryptile/self_test.h"
#include "cryptile/status.h"
#include "cryptile/version.h"
#include "cryptile/xof.h"
#include "cryptile/xts.h"

#endif  // CRYPTILE_H
