// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/status.h"

#include <stddef.h>

#include "cryptile/version.h"
#include "gen/status_texts.h"

const char *cryptile_strerror(cryptile_status_t status) {
  // Unsigned, so that positive numbers and the least one are large, too.
  const unsigned number = 0u - (unsigned)status;
  if (number >= sizeof STATUS_TEXTS / sizeof STATUS_TEXTS[0])
    return "unknown status";
  const char *text = STATUS_TEXTS[number];
  return text != NULL ? text : "unknown status";
}

const char *cryptile_version(void) {
  return CRYPTILE_VERSION;
}
