// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Connections of OpenSSL's TLS in memory, one peer with the provider `cryptile` and the other with
// OpenSSL's own: handshake, records both ways, and one that was spoilt. Prints a line for each,
// `cipher, peer with the provider: what came of it`.
#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider_guest.h"

enum { Client, Server, Peers, Most = 1500, Turns = 20 };

static const struct {
  const char *name;
  int version;
  uint64_t options;
} kCiphers[] = {{"PSK-AES128-GCM-SHA256", TLS1_2_VERSION, 0},
                {"PSK-AES256-GCM-SHA384", TLS1_2_VERSION, 0},
                {"PSK-AES128-CCM", TLS1_2_VERSION, 0},
                {"PSK-AES256-CCM8", TLS1_2_VERSION, 0},
                {"PSK-CHACHA20-POLY1305", TLS1_2_VERSION, 0},
                {"PSK-AES128-CBC-SHA256", TLS1_2_VERSION, 0},
                {"PSK-AES256-CBC-SHA384", TLS1_2_VERSION, SSL_OP_NO_ENCRYPT_THEN_MAC},
                {"TLS_AES_128_GCM_SHA256", TLS1_3_VERSION, 0},
                {"TLS_AES_128_CCM_SHA256", TLS1_3_VERSION, 0},
                {"TLS_CHACHA20_POLY1305_SHA256", TLS1_3_VERSION, 0}};

static OSSL_PROVIDER *ours;

static unsigned server_key(SSL *ssl, const char *identity, unsigned char *key, unsigned room) {
  (void)ssl;
  (void)identity;
  need(room >= 16, "no room for a key");
  memset(key, 7, 16);
  return 16;
}

static unsigned client_key(SSL *ssl, const char *hint, char *identity, unsigned identity_room,
                           unsigned char *key, unsigned room) {
  (void)hint;
  snprintf(identity, identity_room, "client");
  return server_key(ssl, identity, key, room);
}

static SSL *peer(unsigned which, unsigned cipher, bool with_provider) {
  SSL_CTX *ctx = SSL_CTX_new_ex(NULL, with_provider ? "?provider=cryptile" : "provider=default",
                                which == Client ? TLS_client_method() : TLS_server_method());
  need(ctx != NULL, "no context of TLS");
  bool new = kCiphers[cipher].version == TLS1_3_VERSION;
  need(SSL_CTX_set_min_proto_version(ctx, kCiphers[cipher].version) &&
           SSL_CTX_set_max_proto_version(ctx, kCiphers[cipher].version) &&
           (new ? SSL_CTX_set_ciphersuites(ctx, kCiphers[cipher].name)
                : SSL_CTX_set_cipher_list(ctx, kCiphers[cipher].name)),
       kCiphers[cipher].name);
  SSL_CTX_set_options(ctx, kCiphers[cipher].options);
  SSL_CTX_set_security_level(ctx, 0);
  SSL_CTX_set_num_tickets(ctx, 0);
  SSL_CTX_set_psk_client_callback(ctx, client_key);
  SSL_CTX_set_psk_server_callback(ctx, server_key);
  SSL *ssl = SSL_new(ctx);
  need(ssl != NULL, "no connection");
  SSL_CTX_free(ctx);
  if (which == Client) {
    SSL_set_connect_state(ssl);
  } else {
    SSL_set_accept_state(ssl);
  }
  return ssl;
}

static void connect_peers(SSL *peers[Peers]) {
  BIO *up = BIO_new(BIO_s_mem()), *down = BIO_new(BIO_s_mem());
  need(up != NULL && down != NULL && BIO_up_ref(up) && BIO_up_ref(down), "no memory to write to");
  BIO_set_mem_eof_return(up, -1);
  BIO_set_mem_eof_return(down, -1);
  SSL_set_bio(peers[Client], down, up);
  SSL_set_bio(peers[Server], up, down);
}

static bool shake_hands(SSL *peers[Peers]) {
  bool done = false;
  for (unsigned turn = 0; turn < Turns && !done; turn++) {
    done = true;
    for (unsigned i = 0; i < Peers; i++) {
      int result = SSL_do_handshake(peers[i]);
      if (result <= 0 && SSL_get_error(peers[i], result) != SSL_ERROR_WANT_READ) {
        return false;
      }
      done &= result > 0;
    }
  }
  return done;
}

static bool send(SSL *from, SSL *to, size_t len) {
  uint8_t sent[Most], read[Most];
  size_t written = 0, come = 0;
  memset(sent, (int)len, len);
  return SSL_write_ex(from, sent, len, &written) && written == len &&
         SSL_read_ex(to, read, Most, &come) && come == len && memcmp(sent, read, len) == 0;
}

// A record that was spoilt is refused, and nothing of it is given.
static bool refuses(SSL *from, SSL *to) {
  uint8_t byte = 1, *bytes;
  int written = SSL_write(from, "a record that has a wrong byte", 30);
  long len = BIO_get_mem_data(SSL_get_wbio(from), (char **)&bytes);
  need(written == 30 && len > 30, "no record to spoil");
  bytes[len - 20] ^= 1;
  bool refused = SSL_read(to, &byte, 1) <= 0 && byte == 1, told = false;
  for (unsigned long error; (error = ERR_get_error()) != 0;) {
    told |= ERR_GET_REASON(error) == SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC;
  }
  return refused && told;
}

static const char *talk(SSL *peers[Peers], unsigned which, uint64_t *worked) {
  static const size_t kLens[] = {1, 64, 65, 1000, Most};
  if (!shake_hands(peers)) {
    return "no handshake";
  }
  uint64_t before = provider_count(ours, "jobs");
  for (unsigned i = 0; i < sizeof(kLens) / sizeof(kLens[0]); i++) {
    if (!send(peers[Client], peers[Server], kLens[i]) ||
        !send(peers[Server], peers[Client], kLens[i])) {
      return "a record is lost";
    }
  }
  *worked = provider_count(ours, "jobs") - before;
  return refuses(peers[1 - which], peers[which]) ? "well" : "takes a spoilt record";
}

int main(void) {
  ours = OSSL_PROVIDER_load(NULL, "cryptile");
  need(ours != NULL, "the provider does not load");
  for (unsigned i = 0; i < sizeof(kCiphers) / sizeof(kCiphers[0]); i++) {
    for (unsigned which = 0; which < Peers; which++) {
      uint64_t worked = 0;
      SSL *peers[Peers] = {peer(Client, i, which == Client), peer(Server, i, which == Server)};
      connect_peers(peers);
      const char *result = talk(peers, which, &worked);
      if (strcmp(result, "well") != 0) {
        ERR_print_errors_fp(stderr);
      }
      ERR_clear_error();
      printf("%s, %s: %s, %s the tile\n", kCiphers[i].name, which == Client ? "client" : "server",
             result, worked != 0 ? "by" : "without");
      SSL_free(peers[Client]);
      SSL_free(peers[Server]);
    }
  }
  OSSL_PROVIDER_unload(ours);
  return 0;
}
