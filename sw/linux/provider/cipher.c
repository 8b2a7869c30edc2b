// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES in the modes ECB, CBC, CTR and XTS.
//
// Key and IV are all the state that there is between two blocks (XTS: each update is a data unit of
// its own). So each update goes to the tile or to software, whichever is better for its length, and
// what the tile could not do, software does. With a sealed key the kernel asks the tile, and there
// is no software.
#include "provider.h"
#include "sealed.h"

enum { Block = 16 };
static const size_t kMostXts = (size_t)Block << 20;  // a data unit (IEEE Std 1619)

typedef struct {
  const char *name;  // of the tile, and of OpenSSL
  const char *word;  // of the mode, as the kernel has it
  unsigned mode;     // EVP_CIPH_..._MODE
  size_t key_bytes, iv_bytes;
} cipher_alg_t;

typedef struct {
  const provider_t *provider;
  const cipher_alg_t *alg;
  const tile_alg_t *tile;
  bool encrypt, has_key, has_iv, pad;
  bool delegated;     // TLS records with a MAC: OpenSSL's cipher does all
  bool soft_has_key;  // of `soft`
  bool soft_is_here;  // so has the state that we have
  EVP_CIPHER_CTX *soft;
  bool is_sealed;  // the key is
  sealed_t sealed;
  uint8_t key[TileMaxKey];
  uint8_t first_iv[Block];
  uint8_t next_iv[Block];  // as callers see it: of CTR behind a block that is used in part
  uint8_t iv[Block];       // for the next block; of CTR for the one that `fill` bytes are used of
  uint8_t last[Block];     // CBC to decrypt: the last block of what is given
  uint8_t held[Block];     // ECB, CBC: bytes that wait for more
  unsigned fill;           // of them; CTR: bytes of the block that are used
} cipher_t;

static void *cipher_new(const provider_t *provider, const cipher_alg_t *alg) {
  cipher_t *cipher = OPENSSL_zalloc(sizeof(*cipher));
  if (cipher != NULL) {
    cipher->provider = provider;
    cipher->alg = alg;
    cipher->tile = cry_tile_alg(alg->name);
    cipher->pad = true;
  }
  return cipher;
}

static void cipher_free(void *context) {
  cipher_t *cipher = context;
  if (cipher != NULL) {
    EVP_CIPHER_CTX_free(cipher->soft);
    sealed_drop(&cipher->sealed);
    OPENSSL_clear_free(cipher, sizeof(*cipher));
  }
}

static void *cipher_dup(void *context) {
  cipher_t *from = context, *cipher = OPENSSL_memdup(from, sizeof(*from));
  if (cipher != NULL) {
    sealed_copied(&cipher->sealed);
  }
  if (cipher != NULL && from->soft != NULL) {
    cipher->soft = EVP_CIPHER_CTX_dup(from->soft);
    if (cipher->soft == NULL) {
      cipher_free(cipher);
      return NULL;
    }
  }
  return cipher;
}

// OpenSSL's own cipher with this key, before the next block. Null: there is none.
static EVP_CIPHER_CTX *software(cipher_t *cipher) {
  if (cipher->is_sealed) {
    return NULL;
  }
  if (cipher->soft_is_here) {
    return cipher->soft;
  }
  EVP_CIPHER *found = NULL;
  if (cipher->soft == NULL) {
    found = EVP_CIPHER_fetch(cipher->provider->software, cipher->alg->name, NULL);
    cipher->soft = found != NULL ? EVP_CIPHER_CTX_new() : NULL;
  }
  bool whole = found != NULL || !cipher->soft_has_key;
  int most = 0;
  uint8_t dropped[Block];
  static const uint8_t kZeros[Block];
  bool good =
      cipher->soft != NULL &&
      EVP_CipherInit_ex2(cipher->soft, found, whole ? cipher->key : NULL,
                         cipher->alg->iv_bytes != 0 ? cipher->iv : NULL, cipher->encrypt, NULL) &&
      EVP_CIPHER_CTX_set_padding(cipher->soft, 0) &&
      (cipher->alg->mode != EVP_CIPH_CTR_MODE || cipher->fill == 0 ||
       EVP_CipherUpdate(cipher->soft, dropped, &most, kZeros, (int)cipher->fill));
  OPENSSL_cleanse(dropped, sizeof(dropped));
  EVP_CIPHER_free(found);
  cipher->soft_has_key |= good;
  cipher->soft_is_here = good;
  return good ? cipher->soft : NULL;
}

// Counts blocks in the counter block, which is big-endian and wraps.
static void count(uint8_t counter[Block], uint64_t blocks) {
  for (unsigned i = Block; i-- != 0 && blocks != 0;) {
    blocks += counter[i];
    counter[i] = (uint8_t)blocks;
    blocks >>= 8;
  }
}

// Before bytes are given, where what is made may overwrite them. Of CBC they are whole blocks.
static void keep_last(cipher_t *cipher, const uint8_t *in, size_t len) {
  if (cipher->alg->mode == EVP_CIPH_CBC_MODE && !cipher->encrypt) {
    memcpy(cipher->last, in + len - Block, Block);
  }
}

// The IV behind blocks that were given and made; of CBC that is the ciphertext's last block.
static void step(cipher_t *cipher, const uint8_t *out, size_t len) {
  if (cipher->alg->mode == EVP_CIPH_CBC_MODE) {
    memcpy(cipher->iv, cipher->encrypt ? out + len - Block : cipher->last, Block);
  } else if (cipher->alg->mode == EVP_CIPH_CTR_MODE) {
    size_t used = cipher->fill + len;
    count(cipher->iv, used / Block);
    cipher->fill = (unsigned)(used % Block);
  }
}

static bool by_software(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len) {
  enum { Most = 1 << 30 };  // of an int
  EVP_CIPHER_CTX *soft = software(cipher);
  for (int made; soft != NULL && len != 0; in += made, out += made, len -= (size_t)made) {
    int part = len < Most ? (int)len : Most;
    keep_last(cipher, in, (size_t)part);
    if (!EVP_CipherUpdate(soft, out, &made, in, part) || made != part) {
      return false;
    }
    step(cipher, out, (size_t)part);
  }
  return soft != NULL;
}

// One job. False: the tile has not done it. Then software may, if the message is not `lost`.
static bool by_tile(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len, bool *lost) {
  static const uint8_t kZeros[Block];
  bool ctr = cipher->alg->mode == EVP_CIPH_CTR_MODE;
  work_t work = {.alg = cipher->tile,
                 .decrypt = !cipher->encrypt,
                 .key = cipher->key,
                 .key_len = cipher->alg->key_bytes,
                 .iv = cipher->iv,
                 .iv_len = cipher->alg->iv_bytes,
                 .head = kZeros,
                 .head_len = ctr ? cipher->fill : 0,
                 .in = in,
                 .out = out,
                 .len = len};
  keep_last(cipher, in, len);
  if (device_work(&work) != CRYPTILE_OK) {
    *lost = work.lost;
    return false;
  }
  cipher->soft_is_here = cipher->soft_is_here && cipher->alg->iv_bytes == 0;
  step(cipher, out, len);
  return true;
}

// One request to the kernel.
static bool by_sealed(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len) {
  size_t skip = cipher->alg->mode == EVP_CIPH_CTR_MODE ? cipher->fill : 0;
  keep_last(cipher, in, len);
  switch (sealed_work(&cipher->sealed, !cipher->encrypt, cipher->iv, cipher->alg->iv_bytes, skip,
                      out, in, len)) {
    case SealedDone:
      step(cipher, out, len);
      return true;
    case SealedRefused:
      ERR_raise_data(ERR_LIB_PROV, PROV_R_INVALID_KEY, "the tile refuses the token");
      return false;
    default:
      ERR_raise_data(ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED, "the kernel's paes fails");
      return false;
  }
}

// As transform(), with a sealed key.
static bool transform_sealed(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len) {
  enum { Most = SealedMessage - Block };
  for (size_t part; len != 0; in += part, out += part, len -= part) {
    part = len < Most ? len : Most;
    if (!by_sealed(cipher, out, in, part)) {
      return false;
    }
  }
  return true;
}

// Whole blocks of ECB and CBC, any bytes of CTR.
static bool transform(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len) {
  size_t room = len >= cipher->provider->min_bytes ? device_room(Block) : 0;
  bool lost = false;
  if (cipher->is_sealed) {
    return transform_sealed(cipher, out, in, len);
  }
  while (len != 0 && room != 0) {
    size_t most = room - (cipher->alg->mode == EVP_CIPH_CTR_MODE ? cipher->fill : 0);
    size_t part = len < most ? len : most;
    if (!by_tile(cipher, out, in, part, &lost)) {
      break;
    }
    in += part;
    out += part;
    len -= part;
  }
  return len == 0 || (!lost && by_software(cipher, out, in, len));
}

// A data unit of XTS by the tile, in parts if it is long: each but the last of whole blocks, and
// the last no shorter than one. Returns how many bytes were done; it has failed if not all were.
static size_t unit_by_tile(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len,
                           size_t room, bool *lost) {
  uint8_t context[TileContextBytes];
  size_t done = 0, part = 0;
  do {
    size_t left = len - done;
    part = left <= room ? left : left - room < Block ? room - Block : room;
    work_t work = {.alg = cipher->tile,
                   .decrypt = !cipher->encrypt,
                   .key = cipher->key,
                   .key_len = cipher->alg->key_bytes,
                   .iv = cipher->iv,
                   .iv_len = Block,
                   .in = in + done,
                   .out = out + done,
                   .len = part,
                   .context = context,
                   .load = done != 0,
                   .save = part < left ? context : NULL};
    part = device_work(&work) == CRYPTILE_OK ? part : 0;
    *lost = work.lost;
    done += part;
  } while (part != 0 && done < len);
  OPENSSL_cleanse(context, sizeof(context));
  return done;
}

static bool unit(cipher_t *cipher, uint8_t *out, const uint8_t *in, size_t len) {
  if (len < Block || len > (cipher->is_sealed ? SealedMessage : kMostXts)) {
    return FAIL(PROV_R_XTS_DATA_UNIT_IS_TOO_LARGE);
  }
  if (cipher->is_sealed) {
    return by_sealed(cipher, out, in, len);
  }
  size_t room = len >= cipher->provider->min_bytes ? device_room(Block) : 0;
  bool lost = false;
  size_t done = room > Block ? unit_by_tile(cipher, out, in, len, room, &lost) : 0;
  // Software begins anew; in place, what is done is gone.
  return done == len || (!lost && (done == 0 || in != out) && by_software(cipher, out, in, len));
}

static int cipher_get_ctx_params(void *context, OSSL_PARAM params[]) {
  cipher_t *cipher = context;
  memcpy(cipher->next_iv, cipher->iv, Block);
  if (cipher->alg->mode == EVP_CIPH_CTR_MODE) {
    count(cipher->next_iv, cipher->fill != 0);
  }
  if (cipher->delegated && !EVP_CIPHER_CTX_get_params(cipher->soft, params)) {
    return 0;
  }
  return set_size(params, OSSL_CIPHER_PARAM_IVLEN, cipher->alg->iv_bytes) &&
         set_size(params, OSSL_CIPHER_PARAM_KEYLEN, cipher->alg->key_bytes) &&
         set_uint(params, OSSL_CIPHER_PARAM_PADDING, cipher->pad) &&
         set_uint(params, OSSL_CIPHER_PARAM_NUM,
                  cipher->alg->mode == EVP_CIPH_CTR_MODE ? cipher->fill : 0) &&
         set_bytes(params, OSSL_CIPHER_PARAM_IV, cipher->first_iv, cipher->alg->iv_bytes) &&
         (cipher->delegated ||
          set_bytes(params, OSSL_CIPHER_PARAM_UPDATED_IV, cipher->next_iv, cipher->alg->iv_bytes));
}

// A sealed key in the place of one.
static int set_token(cipher_t *cipher, const OSSL_PARAM *param) {
  if (param->data_type != OSSL_PARAM_OCTET_STRING) {
    return FAIL(PROV_R_FAILED_TO_GET_PARAMETER);
  }
  OPENSSL_cleanse(cipher->key, sizeof(cipher->key));
  EVP_CIPHER_CTX_free(cipher->soft);
  cipher->soft = NULL;
  cipher->soft_has_key = cipher->soft_is_here = cipher->delegated = false;
  switch (sealed_set(&cipher->sealed, cipher->alg->word, cipher->alg->key_bytes, param->data,
                     param->data_size)) {
    case SealedDone:
      cipher->has_key = cipher->is_sealed = true;
      return 1;
    case SealedRefused:
      cipher->has_key = cipher->is_sealed = false;
      ERR_raise_data(ERR_LIB_PROV, PROV_R_INVALID_KEY, "no token for %s", cipher->alg->name);
      return 0;
    default:
      cipher->has_key = cipher->is_sealed = false;
      ERR_raise_data(ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED, "the kernel has no %s(paes)",
                     cipher->alg->word);
      return 0;
  }
}

static int cipher_set_ctx_params(void *context, const OSSL_PARAM params[]) {
  cipher_t *cipher = context;
  unsigned pad = cipher->pad, version = 0;
  size_t key_bytes = cipher->alg->key_bytes;
  if (params == NULL) {
    return 1;
  }
  if (!get_uint(params, OSSL_CIPHER_PARAM_PADDING, &pad) ||
      !get_uint(params, OSSL_CIPHER_PARAM_TLS_VERSION, &version) ||
      !get_size(params, OSSL_CIPHER_PARAM_KEYLEN, &key_bytes)) {
    return 0;
  }
  if (key_bytes != cipher->alg->key_bytes) {
    return FAIL(PROV_R_INVALID_KEY_LENGTH);
  }
  cipher->pad = pad != 0;
  const OSSL_PARAM *token = locate_const(params, TOKEN);
  if (token != NULL && !set_token(cipher, token)) {
    return 0;
  }
  if (version != 0 && !cipher->delegated) {
    cipher->delegated = cipher->has_key && software(cipher) != NULL;
    if (!cipher->delegated) {
      return FAIL(PROV_R_NO_KEY_SET);
    }
    EVP_CIPHER_CTX_set_padding(cipher->soft, 1);
  }
  return !cipher->delegated || EVP_CIPHER_CTX_set_params(cipher->soft, params);
}

static int cipher_init(cipher_t *cipher, bool encrypt, const uint8_t *key, size_t key_len,
                       const uint8_t *iv, size_t iv_len, const OSSL_PARAM params[]) {
  unsigned mode = cipher->alg->mode;
  iv = mode == EVP_CIPH_ECB_MODE ? NULL : iv;  // whatever is given
  if (key != NULL && key_len != cipher->alg->key_bytes) {
    return FAIL(PROV_R_INVALID_KEY_LENGTH);
  }
  if (iv != NULL && iv_len != cipher->alg->iv_bytes) {
    return FAIL(PROV_R_INVALID_IV_LENGTH);
  }
  if (key != NULL && mode == EVP_CIPH_XTS_MODE && encrypt &&
      CRYPTO_memcmp(key, key + key_len / 2, key_len / 2) == 0) {
    return FAIL(PROV_R_XTS_DUPLICATED_KEYS);
  }
  cipher->soft_has_key &= key == NULL && encrypt == cipher->encrypt;
  cipher->soft_is_here = cipher->delegated = false;
  cipher->encrypt = encrypt;
  if (mode == EVP_CIPH_CTR_MODE) {
    count(cipher->iv, cipher->fill != 0);  // without an IV it goes on behind what was used
  }
  cipher->fill = 0;
  if (key != NULL) {
    sealed_drop(&cipher->sealed);
    cipher->is_sealed = false;
    memcpy(cipher->key, key, key_len);
    cipher->has_key = true;
  }
  if (iv != NULL) {
    memcpy(cipher->first_iv, iv, iv_len);
    cipher->has_iv = true;
  }
  if (iv != NULL || mode == EVP_CIPH_CBC_MODE) {
    memcpy(cipher->iv, cipher->first_iv, Block);
  }
  return cipher_set_ctx_params(cipher, params);
}

static int cipher_einit(void *context, const uint8_t *key, size_t key_len, const uint8_t *iv,
                        size_t iv_len, const OSSL_PARAM params[]) {
  return cipher_init(context, true, key, key_len, iv, iv_len, params);
}

static int cipher_dinit(void *context, const uint8_t *key, size_t key_len, const uint8_t *iv,
                        size_t iv_len, const OSSL_PARAM params[]) {
  return cipher_init(context, false, key, key_len, iv, iv_len, params);
}

static int delegate(cipher_t *cipher, uint8_t *out, size_t *out_len, const uint8_t *in,
                    size_t len) {
  int made = 0;
  if (len > INT32_MAX || !EVP_CipherUpdate(cipher->soft, out, &made, in, (int)len)) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  *out_len = (size_t)made;
  return 1;
}

// CTR and XTS: as much comes out as goes in.
static int stream_update(void *context, uint8_t *out, size_t *out_len, size_t room,
                         const uint8_t *in, size_t len) {
  cipher_t *cipher = context;
  bool xts = cipher->alg->mode == EVP_CIPH_XTS_MODE;
  *out_len = 0;
  if (!cipher->has_key || (xts && !cipher->has_iv)) {
    return FAIL(PROV_R_NO_KEY_SET);
  }
  if (room < len) {
    return FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  if (!(xts ? unit(cipher, out, in, len) : transform(cipher, out, in, len))) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  *out_len = len;
  return 1;
}

static int stream_final(void *context, uint8_t *out, size_t *out_len, size_t room) {
  (void)out;
  (void)room;
  *out_len = 0;
  return ((cipher_t *)context)->has_key || FAIL(PROV_R_NO_KEY_SET);
}

// ECB and CBC: whole blocks come out. A last block that may hold padding waits for more.
static int block_update(void *context, uint8_t *out, size_t *out_len, size_t room,
                        const uint8_t *in, size_t len) {
  cipher_t *cipher = context;
  *out_len = 0;
  if (!cipher->has_key) {
    return FAIL(PROV_R_NO_KEY_SET);
  }
  if (cipher->delegated) {
    return delegate(cipher, out, out_len, in, len);
  }
  if (len == 0 && cipher->fill != Block) {
    return 1;
  }
  bool waits = !cipher->encrypt && cipher->pad;
  size_t all = cipher->fill + len;
  size_t ready = (waits ? all - 1 : all) / Block * Block;
  if (room < ready) {
    return FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  uint8_t rest[Block];
  size_t left = all - ready;  // up to a block
  size_t old = ready == 0 ? cipher->fill : 0;
  if (left > old) {
    memcpy(rest, in + len - (left - old), left - old);
  }
  if (ready != 0 && cipher->fill != 0) {
    // The first block is made of what has waited; the others move by as many bytes.
    size_t taken = Block - cipher->fill, whole = ready - Block;
    uint8_t *moved = whole != 0 ? OPENSSL_malloc(whole) : NULL;
    if (whole != 0 && moved == NULL) {
      return 0;
    }
    if (taken != 0) {
      memcpy(cipher->held + cipher->fill, in, taken);
    }
    if (whole != 0) {
      memcpy(moved, in + taken, whole);
    }
    bool good = transform(cipher, out, cipher->held, Block) &&
                (whole == 0 || transform(cipher, out + Block, moved, whole));
    OPENSSL_clear_free(moved, whole);
    if (!good) {
      return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
    }
  } else if (ready != 0 && !transform(cipher, out, in, ready)) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (left > old) {
    memcpy(cipher->held + old, rest, left - old);
    OPENSSL_cleanse(rest, sizeof(rest));
  }
  cipher->fill = (unsigned)left;
  *out_len = ready;
  return 1;
}

// Bytes of message in the last block (RFC 5652, section 6.3); Block: the padding is wrong. The time
// does not depend on the block.
static unsigned without_padding(const uint8_t block[Block]) {
  unsigned pad = block[Block - 1];
  unsigned wrong = (pad - 1) >> 4;  // not 1 to 16
  for (unsigned i = 0; i < Block; i++) {
    unsigned is_pad = (Block - 1 - i - pad) >> 31;
    wrong |= (0u - is_pad) & (unsigned)(block[i] ^ pad);
  }
  unsigned bad = (0u - wrong) >> 31;
  return bad * Block + (1 - bad) * ((Block - pad) & (Block - 1));
}

static int block_final(void *context, uint8_t *out, size_t *out_len, size_t room) {
  cipher_t *cipher = context;
  *out_len = 0;
  if (!cipher->has_key) {
    return FAIL(PROV_R_NO_KEY_SET);
  }
  if (cipher->delegated) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (!cipher->pad && cipher->fill == 0) {
    return 1;
  }
  if (cipher->encrypt && cipher->pad) {
    memset(cipher->held + cipher->fill, (int)(Block - cipher->fill), Block - cipher->fill);
  } else if (cipher->fill != Block) {
    return FAIL(PROV_R_WRONG_FINAL_BLOCK_LENGTH);
  }
  uint8_t block[Block];
  if (!transform(cipher, block, cipher->held, Block)) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  bool padded = !cipher->encrypt && cipher->pad;
  size_t made = padded ? without_padding(block) : Block;
  cipher->fill = 0;
  bool bad = padded && made == Block, fits = made <= room;
  if (!bad && fits) {
    memcpy(out, block, made);
    *out_len = made;
  }
  OPENSSL_cleanse(block, sizeof(block));
  OPENSSL_cleanse(cipher->held, sizeof(cipher->held));
  return bad ? FAIL(PROV_R_BAD_DECRYPT) : fits || FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
}

// EVP_Cipher(): whole blocks, or any bytes of CTR, without padding.
static int cipher_cipher(void *context, uint8_t *out, size_t *out_len, size_t room,
                         const uint8_t *in, size_t len) {
  cipher_t *cipher = context;
  unsigned mode = cipher->alg->mode;
  if (mode == EVP_CIPH_CTR_MODE || mode == EVP_CIPH_XTS_MODE) {
    return stream_update(context, out, out_len, room, in, len);
  }
  *out_len = 0;
  if (!cipher->has_key) {
    return FAIL(PROV_R_NO_KEY_SET);
  }
  if (cipher->delegated) {
    return delegate(cipher, out, out_len, in, len);
  }
  if (room < len) {
    return FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  if (len % Block != 0 || !transform(cipher, out, in, len)) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  *out_len = len;
  return 1;
}

static const OSSL_PARAM *gettable_params(void *context) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
                                       OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
                                       OSSL_PARAM_END};
  (void)context;
  return kParams;
}

static const OSSL_PARAM *gettable_ctx_params(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
      OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
      OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
      OSSL_PARAM_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, NULL, 0),
      OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

static const OSSL_PARAM *settable_ctx_params(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
                                       OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
                                       OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, NULL),
                                       OSSL_PARAM_octet_string(TOKEN, NULL, 0),
                                       OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

static int cipher_get_params(const cipher_alg_t *alg, OSSL_PARAM params[]) {
  bool blocks = alg->mode == EVP_CIPH_ECB_MODE || alg->mode == EVP_CIPH_CBC_MODE;
  return set_uint(params, OSSL_CIPHER_PARAM_MODE, alg->mode) &&
         set_size(params, OSSL_CIPHER_PARAM_KEYLEN, alg->key_bytes) &&
         set_size(params, OSSL_CIPHER_PARAM_IVLEN, alg->iv_bytes) &&
         set_size(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, blocks ? Block : 1) &&
         set_int(params, OSSL_CIPHER_PARAM_CUSTOM_IV, alg->mode == EVP_CIPH_XTS_MODE) &&
         set_int(params, OSSL_CIPHER_PARAM_AEAD, 0);
}

#define CIPHER(word, tile, kernel, ossl_mode, key, iv, kind)                                 \
  static const cipher_alg_t k_##word = {tile, kernel, EVP_CIPH_##ossl_mode##_MODE, key, iv}; \
  static void *word##_new(void *provider) {                                                  \
    return cipher_new(provider, &k_##word);                                                  \
  }                                                                                          \
  static int word##_params(OSSL_PARAM params[]) {                                            \
    return cipher_get_params(&k_##word, params);                                             \
  }                                                                                          \
  const OSSL_DISPATCH k_##word##_dispatch[] = {                                              \
      ENTRY(OSSL_FUNC_CIPHER_NEWCTX, word##_new),                                            \
      ENTRY(OSSL_FUNC_CIPHER_FREECTX, cipher_free),                                          \
      ENTRY(OSSL_FUNC_CIPHER_DUPCTX, cipher_dup),                                            \
      ENTRY(OSSL_FUNC_CIPHER_ENCRYPT_INIT, cipher_einit),                                    \
      ENTRY(OSSL_FUNC_CIPHER_DECRYPT_INIT, cipher_dinit),                                    \
      ENTRY(OSSL_FUNC_CIPHER_UPDATE, kind##_update),                                         \
      ENTRY(OSSL_FUNC_CIPHER_FINAL, kind##_final),                                           \
      ENTRY(OSSL_FUNC_CIPHER_CIPHER, cipher_cipher),                                         \
      ENTRY(OSSL_FUNC_CIPHER_GET_PARAMS, word##_params),                                     \
      ENTRY(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, gettable_params),                              \
      ENTRY(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params),                         \
      ENTRY(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, gettable_ctx_params),                      \
      ENTRY(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params),                         \
      ENTRY(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, settable_ctx_params),                      \
      LAST_ENTRY};

CIPHER(aes_128_ecb, "aes-128-ecb", "ecb", ECB, 16, 0, block)
CIPHER(aes_192_ecb, "aes-192-ecb", "ecb", ECB, 24, 0, block)
CIPHER(aes_256_ecb, "aes-256-ecb", "ecb", ECB, 32, 0, block)
CIPHER(aes_128_cbc, "aes-128-cbc", "cbc", CBC, 16, 16, block)
CIPHER(aes_192_cbc, "aes-192-cbc", "cbc", CBC, 24, 16, block)
CIPHER(aes_256_cbc, "aes-256-cbc", "cbc", CBC, 32, 16, block)
CIPHER(aes_128_ctr, "aes-128-ctr", "ctr", CTR, 16, 16, stream)
CIPHER(aes_192_ctr, "aes-192-ctr", "ctr", CTR, 24, 16, stream)
CIPHER(aes_256_ctr, "aes-256-ctr", "ctr", CTR, 32, 16, stream)
CIPHER(aes_128_xts, "aes-128-xts", "xts", XTS, 32, 16, stream)
CIPHER(aes_256_xts, "aes-256-xts", "xts", XTS, 64, 16, stream)
