// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What the statuses of the library mean, by their number without its sign.
#ifndef CRYPTILE_LIB_STATUS_TEXTS_H
#define CRYPTILE_LIB_STATUS_TEXTS_H

#include "cryptile/status.h"

static const char *const STATUS_TEXTS[] = {
    [-CRYPTILE_OK] = "ok",
    [-CRYPTILE_ERR_PARAM] = "bad parameter",
    [-CRYPTILE_ERR_STATE] = "wrong state",
    [-CRYPTILE_ERR_LENGTH] = "a length is not possible, or the output is too small",
    [-CRYPTILE_ERR_PADDING] = "bad padding (wrong key, or damaged data)",
    [-CRYPTILE_ERR_BUSY] = "the engine is busy",
    [-CRYPTILE_ERR_TIMEOUT] = "the engine did not finish in time",
    [-CRYPTILE_ERR_BUS] = "the engine met a bad address",
    [-CRYPTILE_ERR_FAULT] = "the engine detected a fault",
    [-CRYPTILE_ERR_SUPPORT] = "not built into this engine, or not possible with these parameters",
    [-CRYPTILE_ERR_AUTH] = "wrong tag or signature",
    [-CRYPTILE_ERR_KEY] = "invalid key, or the key slot refuses",
};

#endif  // CRYPTILE_LIB_STATUS_TEXTS_H
