// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Authenticated encryption: AES-GCM, AES-CCM, ChaCha20-Poly1305.
//
// A message goes to the tile or to software as a whole: which, its first update decides.
//
// - GCM goes on in parts of whole blocks from a saved context. Bytes of a partial block come out
//   at once, as callers expect, but stay here too: they are encrypted once more with those that
//   follow. The tag is always made, by a last job that encrypts, and compared here. Of a short
//   first update that encrypts, which mostly is all of the message, the same job makes the tag; if
//   another update follows, the first is done once more, in parts.
// - CCM has its message in one update, as OpenSSL has it.
// - ChaCha20-Poly1305 knows no parts: the tag is made with the first update, and when there is
//   another one, software begins anew. To decrypt takes two jobs, as the tag comes later.
// - A record of TLS 1.2 (EVP_CTRL_AEAD_TLS1_AAD) is a message in one update, with its explicit IV
//   before it and its tag behind it (RFC 5288, RFC 6655, RFC 7905).
#include <openssl/rand.h>

#include "provider.h"

enum { Block = 16, MaxIv = 128, Tag = 16 };
enum { FixedIv = 4, ExplicitIv = 8, RandomIv = 12 };  // of a record; an IV that is all random
enum { RecordHead = EVP_AEAD_TLS1_AAD_LEN };          // sequence number, type, version, length
enum { GcmWhole = 1024 };  // a first update of GCM with a tag of its own: a copy costs less
static const uint64_t kMostGcm = ((uint64_t)1 << 36) - 32;  // SP 800-38D: the counter has 32 bits
typedef enum { Gcm, Ccm, ChaCha } kind_t;

typedef struct {
  const char *name;  // of the tile, and of OpenSSL
  kind_t kind;
  unsigned mode;  // EVP_CIPH_..._MODE; 0: a stream cipher
  size_t key_bytes;
} aead_alg_t;

typedef struct {
  uint8_t *bytes;
  size_t len;
} bytes_t;

typedef enum { Open, ByTile, BySoftware } way_t;

typedef struct {
  const provider_t *provider;
  const aead_alg_t *alg;
  const tile_alg_t *tile;
  bool encrypt, has_key;
  bool has_iv;     // for a message
  bool knows_iv;   // of this or the last one
  bool counts_iv;  // GCM: there is a fixed part
  bool made_iv;    // GCM: some of it is random
  bool has_tag;    // to compare with
  bool made_tag;   // `tag` is the message's
  bool has_total, ended;
  bool has_head;  // what comes is a record
  bool in_parts;  // `held`, `plain` and `state` may have something of the message
  way_t way;
  bool started;    // GCM: the tile has a part
  uint64_t given;  // GCM: bytes of the message
  unsigned fill;
  EVP_CIPHER_CTX *soft;
  size_t iv_len, tag_len, total;
  size_t ccm_iv, ccm_tag;  // CCM: lengths that were there when the key came, which it is for
  bytes_t aad;
  bytes_t kept;  // input of the one update that `tag` was made with
  uint8_t key[32];
  uint8_t iv[MaxIv];     // as callers see it: behind one that was counted it is the next
  uint8_t nonce[MaxIv];  // of the message
  uint8_t head[RecordHead];
  uint8_t tag[Tag];      // made
  uint8_t wanted[Tag];   // to compare with
  uint8_t held[Block];   // GCM: input of a partial block
  uint8_t plain[Block];  // and its plaintext
  uint8_t state[TileContextBytes];
} aead_t;

static void drop(bytes_t *bytes) {
  if (bytes->bytes == NULL) {
    return;
  }
  OPENSSL_clear_free(bytes->bytes, bytes->len);
  *bytes = (bytes_t){0};
}

static bool append(bytes_t *to, const uint8_t *bytes, size_t len) {
  if (len == 0) {
    return true;
  }
  uint8_t *grown = OPENSSL_clear_realloc(to->bytes, to->len, to->len + len);
  if (grown == NULL) {
    return false;
  }
  memcpy(grown + to->len, bytes, len);
  *to = (bytes_t){grown, to->len + len};
  return true;
}

// Forgets the message, not the key.
static void forget(aead_t *aead) {
  drop(&aead->aad);
  drop(&aead->kept);
  aead->way = Open;
  aead->started = aead->has_total = aead->ended = false;
  aead->given = 0;
  aead->fill = 0;
  if (aead->in_parts) {
    OPENSSL_cleanse(aead->held, sizeof(aead->held));
    OPENSSL_cleanse(aead->plain, sizeof(aead->plain));
    OPENSSL_cleanse(aead->state, sizeof(aead->state));
    aead->in_parts = false;
  }
}

// An IV is for one message.
static void end(aead_t *aead) {
  forget(aead);
  aead->has_iv = false;
}

// A message with the IV that is there.
static void begin(aead_t *aead) {
  forget(aead);
  memcpy(aead->nonce, aead->iv, aead->iv_len);
  aead->has_iv = aead->knows_iv = true;
  aead->made_tag = false;
}

static void *aead_new(const provider_t *provider, const aead_alg_t *alg) {
  aead_t *aead = OPENSSL_zalloc(sizeof(*aead));
  if (aead != NULL) {
    aead->provider = provider;
    aead->alg = alg;
    aead->tile = cry_tile_alg(alg->name);
    aead->iv_len = alg->kind == Ccm ? 7 : 12;
    aead->tag_len = alg->kind == Ccm ? 12 : Tag;
  }
  return aead;
}

static void aead_free(void *context) {
  aead_t *aead = context;
  if (aead != NULL) {
    forget(aead);
    EVP_CIPHER_CTX_free(aead->soft);
    OPENSSL_clear_free(aead, sizeof(*aead));
  }
}

static void *aead_dup(void *context) {
  const aead_t *from = context;
  aead_t *aead = OPENSSL_memdup(from, sizeof(*from));
  if (aead == NULL) {
    return NULL;
  }
  aead->aad = aead->kept = (bytes_t){0};
  aead->soft = from->soft != NULL ? EVP_CIPHER_CTX_dup(from->soft) : NULL;
  if ((from->soft != NULL && aead->soft == NULL) ||
      !append(&aead->aad, from->aad.bytes, from->aad.len) ||
      !append(&aead->kept, from->kept.bytes, from->kept.len)) {
    aead_free(aead);
    return NULL;
  }
  return aead;
}

static bool soft_update(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  int made;
  return len <= INT32_MAX && EVP_CipherUpdate(aead->soft, out, &made, in, (int)len);
}

// OpenSSL's cipher, with key, IV, and what is known of the tag.
static bool set_up_software(aead_t *aead) {
  OSSL_PARAM params[3], *next = params;
  bool ccm = aead->alg->kind == Ccm;
  if (aead->soft == NULL) {
    aead->soft = EVP_CIPHER_CTX_new();
  }
  EVP_CIPHER *found = EVP_CIPHER_fetch(aead->provider->software, aead->alg->name, NULL);
  *next++ = OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, &aead->iv_len);
  if (ccm || aead->has_tag) {
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
                                                aead->has_tag ? aead->wanted : NULL,
                                                ccm ? aead->ccm_tag : aead->tag_len);
  }
  *next = OSSL_PARAM_construct_end();
  bool good = found != NULL && aead->soft != NULL &&
              EVP_CipherInit_ex2(aead->soft, found, NULL, NULL, aead->encrypt, params) &&
              EVP_CipherInit_ex2(aead->soft, NULL, aead->key, aead->nonce, aead->encrypt, NULL);
  EVP_CIPHER_free(found);
  return good;
}

// The message goes on, and gets another tag. Two with one IV give the key of GHASH or Poly1305
// away.
static void drop_tag(aead_t *aead) {
  OPENSSL_cleanse(aead->tag, sizeof(aead->tag));
}

// From here on OpenSSL does the message. What was given so far is given again, and dropped.
static bool go_to_software(aead_t *aead) {
  drop_tag(aead);
  if (aead->started || !set_up_software(aead)) {
    return false;
  }
  const uint8_t *again = aead->alg->kind == Gcm ? aead->held : aead->kept.bytes;
  size_t len = aead->alg->kind == Gcm ? aead->fill : aead->kept.len;
  uint8_t *dropped = len != 0 ? OPENSSL_malloc(len) : NULL;
  int made;
  bool good =
      (len == 0 || dropped != NULL) &&
      (!aead->has_total || EVP_CipherUpdate(aead->soft, NULL, &made, NULL, (int)aead->total)) &&
      (aead->aad.len == 0 || soft_update(aead, NULL, aead->aad.bytes, aead->aad.len)) &&
      (len == 0 || soft_update(aead, dropped, again, len));
  OPENSSL_clear_free(dropped, len);
  aead->way = good ? BySoftware : aead->way;
  return good;
}

// Chooses who does the message, by the length of its first update.
static bool choose(aead_t *aead, size_t len) {
  if (aead->way != Open) {
    return true;
  }
  size_t room =
      len >= aead->provider->min_bytes && aead->aad.len <= DeviceAad ? device_room(Block) : 0;
  if (room > Block && (aead->alg->kind != ChaCha || len <= room)) {
    aead->way = ByTile;
    return true;
  }
  return go_to_software(aead);
}

// A job with key, IV, and, if it is the first one, associated data.
static work_t job(const aead_t *aead) {
  return (work_t){.alg = aead->tile,
                  .key = aead->key,
                  .key_len = aead->alg->key_bytes,
                  .iv = aead->nonce,
                  .iv_len = aead->iv_len,
                  .aad = aead->aad.bytes,
                  .aad_len = aead->started ? 0 : aead->aad.len,
                  .tag_len = Tag};
}

static work_t whole_job(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  work_t work = job(aead);
  work.in = in;
  work.out = out;
  work.len = len;
  work.tag = aead->tag;
  return work;
}

// The tile has failed with the one update: it is as it was.
static void take_back(aead_t *aead, uint8_t *out, const uint8_t *in) {
  if (in == out && aead->kept.len != 0) {
    memcpy(out, aead->kept.bytes, aead->kept.len);
  }
  drop(&aead->kept);
}

static work_t gcm_part(aead_t *aead, const uint8_t *in, uint8_t *out, size_t len) {
  work_t work = job(aead);
  work.decrypt = !aead->encrypt;
  work.head = aead->held;
  work.head_len = aead->fill;
  work.in = in;
  work.out = out;
  work.len = len;
  work.context = aead->state;
  work.load = aead->started;
  return work;
}

// False: the tile has failed; `*done` bytes were done, and the rest may be lost.
static bool gcm_by_tile(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len, size_t *done,
                        bool *lost) {
  size_t room = device_room(Block);
  *done = 0;
  while (aead->fill + len >= Block) {
    size_t whole = (aead->fill + len) / Block * Block;
    size_t part = (whole < room ? whole : room) - aead->fill;
    work_t work = gcm_part(aead, in, out, part);
    work.save = aead->state;
    if (room == 0 || device_work(&work) != CRYPTILE_OK) {
      *lost = work.lost;
      return false;
    }
    aead->started = true;
    aead->fill = 0;
    in += part;
    out += part;
    len -= part;
    *done += part;
  }
  if (len != 0) {
    uint8_t dropped[TileContextBytes], given[Block];
    work_t work = gcm_part(aead, in, out, len);
    work.fill = Block - aead->fill - len;
    work.save = dropped;
    memcpy(given, in, len);
    bool good = device_work(&work) == CRYPTILE_OK;
    if (good) {
      memcpy(aead->held + aead->fill, given, len);
      memcpy(aead->plain + aead->fill, aead->encrypt ? given : out, len);
      aead->fill += (unsigned)len;
      *done += len;
    }
    OPENSSL_cleanse(dropped, sizeof(dropped));
    OPENSSL_cleanse(given, sizeof(given));
    return good;
  }
  return true;
}

// The tag of a message in parts, with what is left of it.
static bool gcm_tag(aead_t *aead) {
  work_t work = whole_job(aead, NULL, aead->plain, aead->fill);
  work.context = aead->state;
  work.load = aead->started;
  return device_work(&work) == CRYPTILE_OK;
}

static bool gcm_parts(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  size_t done = 0;
  bool lost = false;
  aead->in_parts = true;
  if (aead->way == ByTile && gcm_by_tile(aead, out, in, len, &done, &lost)) {
    return true;
  }
  return !lost && (aead->way == BySoftware || go_to_software(aead)) &&
         soft_update(aead, out + done, in + done, len - done);
}

// The message, which may go on, and its tag as if it did not.
static bool gcm_whole(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  work_t whole = whole_job(aead, out, in, len);
  aead->ended = append(&aead->kept, in, len) && device_work(&whole) == CRYPTILE_OK;
  if (!aead->ended) {
    take_back(aead, out, in);
  }
  return aead->ended;
}

// The message goes on.
static bool gcm_again(aead_t *aead) {
  bytes_t first = aead->kept;
  uint8_t *dropped = OPENSSL_malloc(first.len);
  aead->kept = (bytes_t){0};
  aead->ended = false;
  drop_tag(aead);
  bool good = dropped != NULL && gcm_parts(aead, dropped, first.bytes, first.len);
  OPENSSL_clear_free(dropped, first.len);
  drop(&first);
  return good;
}

static bool gcm_update(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  bool first = aead->way == ByTile && aead->given == 0;
  if (len > kMostGcm - aead->given) {
    return false;
  }
  aead->given += len;
  if (first && aead->encrypt && len <= GcmWhole && len <= device_room(Block) &&
      gcm_whole(aead, out, in, len)) {
    return true;
  }
  return (!aead->ended || gcm_again(aead)) && gcm_parts(aead, out, in, len);
}

// The whole message, in parts if it is long. If it fails and is `lost`, software cannot do it.
static bool ccm_by_tile(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len, bool *lost) {
  size_t room = device_room(Block), left = len;
  cryptile_status_t status = room != 0 ? CRYPTILE_OK : CRYPTILE_ERR_BUSY;
  uint8_t tag[Tag], *to = out;
  aead->in_parts = true;
  memcpy(tag, aead->wanted, Tag);
  while (status == CRYPTILE_OK) {
    size_t part = left < room ? left : room;
    bool last = part == left;
    work_t work = job(aead);
    work.decrypt = !aead->encrypt;
    work.in = in;
    work.out = to;
    work.len = part;
    work.total = len;
    work.context = aead->state;
    work.load = aead->started;
    work.save = last ? NULL : aead->state;
    work.tag = last ? tag : NULL;
    work.tag_len = aead->ccm_tag;
    status = device_work(&work);
    *lost = work.lost;
    if (status == CRYPTILE_OK && last) {
      memcpy(aead->tag, tag, aead->ccm_tag);
      return true;
    }
    aead->started |= status == CRYPTILE_OK;
    in += part;
    to += part;
    left -= part;
  }
  *lost |= status == CRYPTILE_ERR_AUTH;
  return false;
}

static bool ccm_update(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  bool lost = false;
  if (aead->ended || aead->iv_len != aead->ccm_iv || (aead->has_total && aead->total != len) ||
      (!aead->encrypt && (!aead->has_tag || aead->tag_len != aead->ccm_tag))) {
    return false;
  }
  aead->ended = true;
  if (!aead->has_total) {
    aead->total = len;
    aead->has_total = true;
  }
  if (aead->way == ByTile) {
    aead->made_tag = ccm_by_tile(aead, out, in, len, &lost);
    if (aead->made_tag) {
      return true;
    }
  }
  bool good = !lost && (aead->way == BySoftware || go_to_software(aead)) &&
              soft_update(aead, out, in, len) &&
              (!aead->encrypt || EVP_CIPHER_CTX_ctrl(aead->soft, EVP_CTRL_AEAD_GET_TAG,
                                                     (int)aead->ccm_tag, aead->tag));
  aead->made_tag = good;
  if (!good && out != NULL) {
    OPENSSL_cleanse(out, len);
  }
  return good;
}

// The whole message and its tag.
static bool chacha_by_tile(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  if (!append(&aead->kept, in, len)) {
    return false;
  }
  work_t whole = whole_job(aead, out, in, len);
  if (aead->encrypt || len == 0) {
    return device_work(&whole) == CRYPTILE_OK;
  }
  uint8_t block[Block] = {1};  // of the key stream, the one behind the tag's key
  memcpy(block + 4, aead->nonce, 12);
  work_t stream = {.alg = cry_tile_alg("chacha20"),
                   .key = aead->key,
                   .key_len = aead->alg->key_bytes,
                   .iv = block,
                   .iv_len = Block,
                   .in = in,
                   .out = out,
                   .len = len};
  whole.in = out;
  whole.out = NULL;
  return device_work(&stream) == CRYPTILE_OK && device_work(&whole) == CRYPTILE_OK;
}

static bool chacha_update(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  if (aead->way == ByTile && !aead->ended) {
    aead->ended = true;
    if (chacha_by_tile(aead, out, in, len)) {
      return true;
    }
    take_back(aead, out, in);
  }
  return (aead->way == BySoftware || go_to_software(aead)) && soft_update(aead, out, in, len);
}

static bool message(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  if (!choose(aead, len)) {
    return false;
  }
  switch (aead->alg->kind) {
    case Gcm:
      return gcm_update(aead, out, in, len);
    case Ccm:
      return ccm_update(aead, out, in, len);
    default:
      return chacha_update(aead, out, in, len);
  }
}

static bool take_aad(aead_t *aead, const uint8_t *in, size_t len) {
  bool late = aead->started || aead->fill != 0 || aead->ended;
  if (aead->way == BySoftware) {
    return soft_update(aead, NULL, in, len);
  }
  return !late && append(&aead->aad, in, len);
}

// Makes the tag, or compares it.
static bool finish(aead_t *aead) {
  static uint8_t none;
  if (!aead->encrypt && !aead->has_tag) {
    return false;
  }
  if (aead->alg->kind == Ccm) {
    return aead->ended ? aead->made_tag : message(aead, &none, &none, 0);
  }
  if (!choose(aead, aead->aad.len)) {
    return false;
  }
  bool good = aead->way == ByTile;
  if (good && !aead->ended) {
    good = aead->alg->kind == Gcm ? gcm_tag(aead) : chacha_by_tile(aead, NULL, NULL, 0);
  }
  if (good) {
    return aead->encrypt || CRYPTO_memcmp(aead->tag, aead->wanted, aead->tag_len) == 0;
  }
  uint8_t rest[Block];
  int made;
  return (aead->way == BySoftware || go_to_software(aead)) &&
         (aead->encrypt || EVP_CIPHER_CTX_ctrl(aead->soft, EVP_CTRL_AEAD_SET_TAG,
                                               (int)aead->tag_len, aead->wanted)) &&
         EVP_CipherFinal_ex(aead->soft, rest, &made) &&
         (!aead->encrypt || EVP_CIPHER_CTX_ctrl(aead->soft, EVP_CTRL_AEAD_GET_TAG, Tag, aead->tag));
}

// An IV as long as the one that is there, with what is behind its fixed part at random.
static bool random_iv(aead_t *aead, size_t fixed) {
  bool made =
      RAND_bytes_ex(aead->provider->software, aead->iv + fixed, aead->iv_len - fixed, 0) > 0;
  aead->made_iv |= made;
  return made;
}

// Whether a message may begin or go on. For GCM one that has had no IV is made.
static bool ready(aead_t *aead) {
  if (!aead->has_key) {
    return FAIL(PROV_R_NO_KEY_SET);
  }
  if (!aead->has_iv && !aead->knows_iv && aead->alg->kind == Gcm && aead->encrypt &&
      aead->iv_len >= RandomIv && random_iv(aead, 0)) {
    begin(aead);
  }
  return aead->has_iv || FAIL(PROV_R_CIPHER_OPERATION_FAILED);
}

// A message with the next IV, whose last bytes are given.
static bool count_iv(aead_t *aead, uint8_t *out, size_t len) {
  if (!aead->counts_iv || !aead->has_key) {
    return false;
  }
  len = len == 0 || len > aead->iv_len ? aead->iv_len : len;
  memcpy(out, aead->iv + aead->iv_len - len, len);
  begin(aead);
  size_t first = aead->iv_len < ExplicitIv ? 0 : aead->iv_len - ExplicitIv;
  for (size_t i = aead->iv_len; i-- != first && ++aead->iv[i] == 0;) {
  }
  return true;
}

// A message to decrypt with the IV that has these last bytes.
static bool end_iv(aead_t *aead, const uint8_t *in, size_t len) {
  if (!aead->counts_iv || !aead->has_key || aead->encrypt || len > aead->iv_len) {
    return false;
  }
  memcpy(aead->iv + aead->iv_len - len, in, len);
  begin(aead);
  return true;
}

static size_t record_iv_len(const aead_t *aead) {
  return aead->alg->kind == ChaCha ? 0 : ExplicitIv;
}

static size_t record_tag_len(const aead_t *aead) {
  return aead->alg->kind == Ccm ? aead->tag_len : Tag;
}

// Begins a record: its explicit IV is read, or written.
static bool begin_record(aead_t *aead, uint8_t *out, const uint8_t *in) {
  if (aead->alg->kind == Gcm) {
    return aead->encrypt ? count_iv(aead, out, ExplicitIv) : end_iv(aead, in, ExplicitIv);
  }
  if (aead->alg->kind == Ccm) {
    if (aead->encrypt) {
      memcpy(out, aead->head, ExplicitIv);
    }
    memcpy(aead->iv + FixedIv, in, ExplicitIv);  // in place
  }
  begin(aead);
  for (size_t i = 0; aead->alg->kind == ChaCha && i < ExplicitIv; i++) {
    aead->nonce[FixedIv + i] ^= aead->head[i];
  }
  return true;
}

// The message of a record, with the tag behind it.
static bool record_message(aead_t *aead, uint8_t *out, const uint8_t *in, size_t len) {
  size_t tag_len = record_tag_len(aead);
  if (!aead->encrypt) {
    memcpy(aead->wanted, in + len, tag_len);
    aead->tag_len = tag_len;
    aead->has_tag = true;
  }
  aead->total = len;
  aead->has_total = aead->alg->kind == Ccm;
  bool good = append(&aead->aad, aead->head, RecordHead) &&
              (len == 0 || message(aead, out, in, len)) && finish(aead);
  if (good && aead->encrypt) {
    memcpy(out + len, aead->tag, tag_len);
  } else if (!good && !aead->encrypt) {
    OPENSSL_cleanse(out, len);
  }
  return good;
}

static int record(aead_t *aead, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len) {
  size_t iv_len = record_iv_len(aead), around = iv_len + record_tag_len(aead);
  size_t told = (size_t)aead->head[RecordHead - 2] << 8 | aead->head[RecordHead - 1];
  kind_t kind = aead->alg->kind;
  bool good = aead->has_key && aead->knows_iv && in != NULL && out != NULL && len >= around &&
              (kind == ChaCha ? len - around == told : in == out) &&
              (kind != Ccm || aead->tag_len == aead->ccm_tag) && begin_record(aead, out, in) &&
              record_message(aead, out + iv_len, in + iv_len, len - around);
  end(aead);
  aead->has_head = aead->made_tag = aead->has_tag = false;
  if (!good) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  *out_len = aead->encrypt ? len : len - around;
  return 1;
}

static int aead_final(void *context, uint8_t *out, size_t *out_len, size_t room) {
  aead_t *aead = context;
  (void)room;
  *out_len = 0;
  if (aead->has_head) {
    return record(aead, out, out_len, NULL, 0);
  }
  if (!ready(aead)) {
    return 0;
  }
  bool good = finish(aead);
  end(aead);
  aead->made_tag = good && aead->encrypt;
  return good ? 1 : FAIL(PROV_R_CIPHER_OPERATION_FAILED);
}

// An update, or EVP_Cipher(), which unlike it fails on nothing where a message would.
static int take(aead_t *aead, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in,
                size_t len) {
  bool ccm = aead->alg->kind == Ccm;
  *out_len = 0;
  if (out != NULL && room < len) {
    return FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  if (aead->has_head) {
    return record(aead, out, out_len, in, len);
  }
  if (in == NULL && !ccm) {
    return aead_final(aead, out, out_len, room);
  }
  if (!ready(aead)) {
    return 0;
  }
  if (out == NULL && in == NULL) {
    aead->total = len;
    aead->has_total = true;
    *out_len = len;
    return 1;
  }
  if (in == NULL || (len == 0 && (out == NULL || !ccm))) {
    return 1;
  }
  if (out == NULL && ccm && !aead->has_total) {
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (!(out == NULL ? take_aad(aead, in, len) : message(aead, out, in, len))) {
    // A tag would be of another message, or of this IV's second one.
    end(aead);
    aead->made_tag = false;
    return FAIL(PROV_R_CIPHER_OPERATION_FAILED);
  }
  *out_len = len;
  return 1;
}

static int aead_update(void *context, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in,
                       size_t len) {
  aead_t *aead = context;
  if (len == 0 && aead->alg->kind != Ccm) {
    *out_len = 0;
    return 1;
  }
  return take(aead, out, out_len, room, in, len);
}

// CCM's tag is of the length that it was made with.
static bool give_tag(const aead_t *aead, OSSL_PARAM *param) {
  size_t len = param->data_size;
  return aead->encrypt && aead->made_tag && len != 0 &&
         (aead->alg->kind == Ccm ? len == aead->ccm_tag : len <= Tag) &&
         OSSL_PARAM_set_octet_string(param, aead->tag, len);
}

static int aead_get_ctx_params(void *context, OSSL_PARAM params[]) {
  aead_t *aead = context;
  OSSL_PARAM *param = locate(params, OSSL_CIPHER_PARAM_AEAD_TAG);
  if (param != NULL && !give_tag(aead, param)) {
    return FAIL(PROV_R_INVALID_TAG);
  }
  param = locate(params, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN);
  if (param != NULL && !(param->data_type == OSSL_PARAM_OCTET_STRING && param->data != NULL &&
                         count_iv(aead, param->data, param->data_size))) {
    return 0;
  }
  param = locate(params, OSSL_CIPHER_PARAM_IV);
  param = param != NULL ? param : locate(params, OSSL_CIPHER_PARAM_UPDATED_IV);
  if (param != NULL && !aead->knows_iv) {
    return 0;
  }
  return set_size(params, OSSL_CIPHER_PARAM_IVLEN, aead->iv_len) &&
         set_size(params, OSSL_CIPHER_PARAM_KEYLEN, aead->alg->key_bytes) &&
         set_size(params, OSSL_CIPHER_PARAM_AEAD_TAGLEN, aead->tag_len) &&
         set_size(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, record_tag_len(aead)) &&
         set_uint(params, OSSL_CIPHER_PARAM_AEAD_IV_GENERATED, aead->made_iv) &&
         set_bytes(params, OSSL_CIPHER_PARAM_IV, aead->iv, aead->iv_len) &&
         set_bytes(params, OSSL_CIPHER_PARAM_UPDATED_IV, aead->iv, aead->iv_len);
}

static bool good_iv_len(kind_t kind, size_t len) {
  return kind == Gcm ? len >= 1 && len <= MaxIv : kind == Ccm ? len >= 7 && len <= 13 : len == 12;
}

static int set_tag(aead_t *aead, const OSSL_PARAM *param) {
  size_t len = param->data_size;
  if (param->data_type != OSSL_PARAM_OCTET_STRING) {
    return FAIL(PROV_R_FAILED_TO_GET_PARAMETER);
  }
  if (len == 0 || len > Tag || (aead->alg->kind == Ccm && (len % 2 != 0 || len < 4))) {
    return FAIL(PROV_R_INVALID_TAG_LENGTH);
  }
  if (param->data != NULL) {
    if (aead->encrypt) {
      return FAIL(PROV_R_TAG_NOT_NEEDED);
    }
    memcpy(aead->wanted, param->data, len);
    aead->has_tag = true;
  }
  aead->tag_len = len;
  return 1;
}

// The head of a record. As associated data it has the length of the message alone.
static bool set_head(aead_t *aead, const uint8_t *head, size_t len) {
  size_t around = record_iv_len(aead) + (aead->encrypt ? 0 : record_tag_len(aead));
  size_t told = len == RecordHead ? (size_t)head[len - 2] << 8 | head[len - 1] : 0;
  if (len != RecordHead || told < around) {
    return FAIL(PROV_R_INVALID_AAD);
  }
  told -= around;
  memcpy(aead->head, head, len);
  aead->head[len - 2] = (uint8_t)(told >> 8);
  aead->head[len - 1] = (uint8_t)told;
  aead->has_head = true;
  return true;
}

// GCM: the first bytes of the IV; (size_t)-1: all of it.
static bool fix_gcm_iv(aead_t *aead, const uint8_t *iv, size_t len) {
  bool whole = len == (size_t)-1;
  if (!whole && (len < FixedIv || aead->iv_len < len + ExplicitIv)) {
    return FAIL(PROV_R_INVALID_IV_LENGTH);
  }
  memcpy(aead->iv, iv, whole ? aead->iv_len : len);
  if (!whole && aead->encrypt && !random_iv(aead, len)) {
    return false;
  }
  aead->counts_iv = true;
  begin(aead);
  return true;
}

// What records have in common of their IVs.
static bool fix_iv(aead_t *aead, const uint8_t *iv, size_t len) {
  switch (aead->alg->kind) {
    case Gcm:
      return fix_gcm_iv(aead, iv, len);
    case Ccm:
      if (len != FixedIv) {
        return FAIL(PROV_R_INVALID_IV_LENGTH);
      }
      memcpy(aead->iv, iv, len);
      if (aead->way == Open && !aead->has_total) {
        memcpy(aead->nonce, iv, len);
      }
      aead->knows_iv = true;
      return true;
    default:
      // Amidst a message OpenSSL's goes on with another key stream.
      if (len != aead->iv_len || aead->way != Open || aead->aad.len != 0) {
        return FAIL(PROV_R_INVALID_IV_LENGTH);
      }
      memcpy(aead->iv, iv, len);
      begin(aead);
      return true;
  }
}

// A parameter of octets, if it is there, by a function that returns whether it is good.
static bool set_octets(aead_t *aead, const OSSL_PARAM params[], const char *name,
                       bool (*set)(aead_t *aead, const uint8_t *bytes, size_t len)) {
  const OSSL_PARAM *param = locate_const(params, name);
  return param == NULL || (param->data_type == OSSL_PARAM_OCTET_STRING && param->data != NULL &&
                           set(aead, param->data, param->data_size));
}

static int aead_set_ctx_params(void *context, const OSSL_PARAM params[]) {
  aead_t *aead = context;
  if (params == NULL) {
    return 1;
  }
  const OSSL_PARAM *param = locate_const(params, OSSL_CIPHER_PARAM_AEAD_TAG);
  if (param != NULL && !set_tag(aead, param)) {
    return 0;
  }
  size_t iv_len = aead->iv_len, key_bytes = aead->alg->key_bytes;
  if (!get_size(params, OSSL_CIPHER_PARAM_AEAD_IVLEN, &iv_len) ||
      !get_size(params, OSSL_CIPHER_PARAM_KEYLEN, &key_bytes)) {
    return 0;
  }
  if (!good_iv_len(aead->alg->kind, iv_len)) {
    return FAIL(PROV_R_INVALID_IV_LENGTH);
  }
  if (key_bytes != aead->alg->key_bytes) {
    return FAIL(PROV_R_INVALID_KEY_LENGTH);
  }
  if (iv_len != aead->iv_len) {
    aead->iv_len = iv_len;
    end(aead);
  }
  return set_octets(aead, params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, set_head) &&
         set_octets(aead, params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, fix_iv) &&
         (aead->alg->kind != Gcm ||
          set_octets(aead, params, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, end_iv));
}

static int aead_init(aead_t *aead, bool encrypt, const uint8_t *key, size_t key_len,
                     const uint8_t *iv, size_t iv_len, const OSSL_PARAM params[]) {
  if (key != NULL && key_len != aead->alg->key_bytes) {
    return FAIL(PROV_R_INVALID_KEY_LENGTH);
  }
  bool sized = aead->alg->kind == Gcm ? good_iv_len(Gcm, iv_len) : iv_len == aead->iv_len;
  if (iv != NULL && !sized) {
    return FAIL(PROV_R_INVALID_IV_LENGTH);
  }
  if (key != NULL || iv != NULL) {
    // An IV that bytes were encrypted with is not for another message: the key may be the same.
    aead->has_iv = aead->has_iv && aead->way == Open;
    forget(aead);
    aead->made_tag = false;
    aead->has_head = aead->has_head && aead->alg->kind != ChaCha;
  }
  aead->encrypt = encrypt;
  if (encrypt) {
    aead->has_tag = false;
  }
  if (key != NULL) {
    memcpy(aead->key, key, key_len);
    aead->has_key = true;
    aead->ccm_iv = aead->iv_len;
    aead->ccm_tag = aead->tag_len;
  }
  if (iv != NULL) {
    memcpy(aead->iv, iv, iv_len);
    aead->iv_len = iv_len;
    begin(aead);
  }
  return aead_set_ctx_params(aead, params);
}

static int aead_einit(void *context, const uint8_t *key, size_t key_len, const uint8_t *iv,
                      size_t iv_len, const OSSL_PARAM params[]) {
  return aead_init(context, true, key, key_len, iv, iv_len, params);
}

static int aead_dinit(void *context, const uint8_t *key, size_t key_len, const uint8_t *iv,
                      size_t iv_len, const OSSL_PARAM params[]) {
  return aead_init(context, false, key, key_len, iv, iv_len, params);
}

// EVP_Cipher(): an update, or without input the end, which with CCM has somewhere to write. Of a
// record it tells the whole length, unlike an update, but with ChaCha20-Poly1305.
static int aead_cipher(void *context, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in,
                       size_t len) {
  aead_t *aead = context;
  kind_t kind = aead->alg->kind;
  if (in == NULL && kind == Ccm && out != NULL) {
    return aead_final(context, out, out_len, room);
  }
  int good = take(aead, out, out_len, room, in, len);
  *out_len = good && kind != ChaCha ? len : *out_len;
  return good;
}

static const OSSL_PARAM *gettable_params(void *context) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
                                       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
                                       OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),
                                       OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
                                       OSSL_PARAM_END};
  (void)context;
  return kParams;
}

static const OSSL_PARAM *gettable_ctx_params(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, NULL, 0),
      OSSL_PARAM_uint(OSSL_CIPHER_PARAM_AEAD_IV_GENERATED, NULL),
      OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

static const OSSL_PARAM *settable_ctx_params(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {
      OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, NULL),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, NULL, 0),
      OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

static int aead_get_params(const aead_alg_t *alg, OSSL_PARAM params[]) {
  return set_uint(params, OSSL_CIPHER_PARAM_MODE, alg->mode) &&
         set_size(params, OSSL_CIPHER_PARAM_KEYLEN, alg->key_bytes) &&
         set_size(params, OSSL_CIPHER_PARAM_IVLEN, 12) &&
         set_size(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, 1) &&
         set_int(params, OSSL_CIPHER_PARAM_AEAD, 1) &&
         set_int(params, OSSL_CIPHER_PARAM_CUSTOM_IV, 1);
}

#define AEAD(word, tile, kind, mode, key)                               \
  static const aead_alg_t k_##word = {tile, kind, mode, key};           \
  static void *word##_new(void *provider) {                             \
    return aead_new(provider, &k_##word);                               \
  }                                                                     \
  static int word##_params(OSSL_PARAM params[]) {                       \
    return aead_get_params(&k_##word, params);                          \
  }                                                                     \
  const OSSL_DISPATCH k_##word##_dispatch[] = {                         \
      ENTRY(OSSL_FUNC_CIPHER_NEWCTX, word##_new),                       \
      ENTRY(OSSL_FUNC_CIPHER_FREECTX, aead_free),                       \
      ENTRY(OSSL_FUNC_CIPHER_DUPCTX, aead_dup),                         \
      ENTRY(OSSL_FUNC_CIPHER_ENCRYPT_INIT, aead_einit),                 \
      ENTRY(OSSL_FUNC_CIPHER_DECRYPT_INIT, aead_dinit),                 \
      ENTRY(OSSL_FUNC_CIPHER_UPDATE, aead_update),                      \
      ENTRY(OSSL_FUNC_CIPHER_FINAL, aead_final),                        \
      ENTRY(OSSL_FUNC_CIPHER_CIPHER, aead_cipher),                      \
      ENTRY(OSSL_FUNC_CIPHER_GET_PARAMS, word##_params),                \
      ENTRY(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, gettable_params),         \
      ENTRY(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, aead_get_ctx_params),      \
      ENTRY(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, gettable_ctx_params), \
      ENTRY(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, aead_set_ctx_params),      \
      ENTRY(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, settable_ctx_params), \
      LAST_ENTRY};

AEAD(aes_128_gcm, "aes-128-gcm", Gcm, EVP_CIPH_GCM_MODE, 16)
AEAD(aes_192_gcm, "aes-192-gcm", Gcm, EVP_CIPH_GCM_MODE, 24)
AEAD(aes_256_gcm, "aes-256-gcm", Gcm, EVP_CIPH_GCM_MODE, 32)
AEAD(aes_128_ccm, "aes-128-ccm", Ccm, EVP_CIPH_CCM_MODE, 16)
AEAD(aes_192_ccm, "aes-192-ccm", Ccm, EVP_CIPH_CCM_MODE, 24)
AEAD(aes_256_ccm, "aes-256-ccm", Ccm, EVP_CIPH_CCM_MODE, 32)
AEAD(chacha20_poly1305, "chacha20-poly1305", ChaCha, 0, 32)
