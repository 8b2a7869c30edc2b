// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Streams the host's input to its output through memory, in chunks.
#ifndef CRYPTILE_APPS_STREAM_H
#define CRYPTILE_APPS_STREAM_H

#include "cryptile.h"
#include "hwpe.h"

// Through cryptile_cipher_update(), in place. `chunk`: a multiple of 16, at most CryptMaxChunk.
CRYPTILE_MUST_CHECK cryptile_status_t stream_software(const cryptile_cipher_impl_t *impl,
                                                      const cryptile_cipher_params_t *params,
                                                      size_t chunk);

// Through the engine's driver: while one chunk is worked on, the next is queued, and the one before
// is written out. Chaining is kept by the engine. Returns CRYPTILE_OK; why a job failed, and then
// nothing is read or written any more; or CRYPTILE_ERR_BUSY: memory that does not answer may still
// be written.
CRYPTILE_MUST_CHECK cryptile_status_t stream_engine(cryptile_status_t (*wait)(unsigned id,
                                                                              uint32_t limit),
                                                    const cryptile_cipher_params_t *params,
                                                    size_t chunk);

#endif  // CRYPTILE_APPS_STREAM_H
