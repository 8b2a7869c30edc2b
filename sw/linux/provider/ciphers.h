// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The ciphers of the provider: the word of their dispatch tables, and OpenSSL's names.
#ifndef CRYPTILE_PROVIDER_CIPHERS_H
#define CRYPTILE_PROVIDER_CIPHERS_H

// clang-format off
#define CIPHERS(ROW) \
  ROW(aes_128_ecb, "AES-128-ECB:2.16.840.1.101.3.4.1.1") \
  ROW(aes_192_ecb, "AES-192-ECB:2.16.840.1.101.3.4.1.21") \
  ROW(aes_256_ecb, "AES-256-ECB:2.16.840.1.101.3.4.1.41") \
  ROW(aes_128_cbc, "AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2") \
  ROW(aes_192_cbc, "AES-192-CBC:AES192:2.16.840.1.101.3.4.1.22") \
  ROW(aes_256_cbc, "AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42") \
  ROW(aes_128_ctr, "AES-128-CTR") \
  ROW(aes_192_ctr, "AES-192-CTR") \
  ROW(aes_256_ctr, "AES-256-CTR") \
  ROW(aes_128_xts, "AES-128-XTS:1.3.111.2.1619.0.1.1") \
  ROW(aes_256_xts, "AES-256-XTS:1.3.111.2.1619.0.1.2") \
  ROW(aes_128_gcm, "AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6") \
  ROW(aes_192_gcm, "AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26") \
  ROW(aes_256_gcm, "AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46") \
  ROW(aes_128_ccm, "AES-128-CCM:id-aes128-CCM:2.16.840.1.101.3.4.1.7") \
  ROW(aes_192_ccm, "AES-192-CCM:id-aes192-CCM:2.16.840.1.101.3.4.1.27") \
  ROW(aes_256_ccm, "AES-256-CCM:id-aes256-CCM:2.16.840.1.101.3.4.1.47") \
  ROW(chacha20_poly1305, "ChaCha20-Poly1305")
// clang-format on

#endif  // CRYPTILE_PROVIDER_CIPHERS_H
