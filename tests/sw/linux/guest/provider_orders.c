// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The provider `cryptile` beside OpenSSL's own: the same calls in the same order, usual or not.
// What each call returns and writes must be the same. Prints how many orders were tried; each that
// differs on standard error.
//
//   provider_orders SEED COUNT    COUNT: orders at random, beside those that are written here
//
// An order is made of words, one a call; `len` is decimal:
//
//   e d       init with the cipher, to encrypt or decrypt    k K   init with a key alone
//   i j       init with an IV alone                          b B   init with key and IV
//   l[len]    length of the IV                               p[n]  padding
//   t[len]    length of the tag                              w[len] x[len]  the tag, a wrong one
//   n[len]    CCM: length of the message                     g[len]  gets the tag
//   a[len]    associated data by an update                   A[len]  by EVP_Cipher()
//   u[len]    text by an update                              c[len]  by EVP_Cipher()
//   f         EVP_CipherFinal_ex()                           D     goes on with a copy
//   N O       EVP_Cipher() without input, and output         v     gets the updated IV
//   F[len]    fixed part of the IV; -1: all of it            G[len]  the next IV
//   V[len]    end of the IV                                  q[len]  a head of a record, spoilt
//   r R       a record by EVP_CipherUpdate(), EVP_Cipher()   s     a record, spoilt
//   h         the head of a record
//
// Without a number: of u, c and n what is left of the text; of w, x and g the length of the tag.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider_guest.h"

enum { Text = 1100, Aad = 64, Block = 16, Most = Text + 64, Explicit = 8 };
enum { Gcm = 1, Ccm = 2, ChaCha = 4, Blocks = 8, Ctr = 16, Aeads = Gcm | Ccm | ChaCha };
enum { MostWords = 400 };

static const struct {
  const char *name;
  int kind;
  int iv_len, tag_len;  // that texts to decrypt were made with
} kCiphers[] = {{"AES-128-GCM", Gcm, 12, 16},   {"AES-128-CCM", Ccm, 12, 8},
                {"AES-256-CCM", Ccm, 7, 12},    {"ChaCha20-Poly1305", ChaCha, 12, 16},
                {"AES-128-CBC", Blocks, 16, 0}, {"AES-256-ECB", Blocks, 0, 0},
                {"AES-192-CTR", Ctr, 16, 0}};
enum { Ciphers = sizeof(kCiphers) / sizeof(kCiphers[0]) };

// `@` stands for the lengths of CCM, which must be set before the key.
static const struct {
  int kinds;
  const char *words;
} kOrders[] = {
    // Usual ones.
    {Aeads, "e @ b n a20 u f g"},
    {Aeads, "d @ w b n a20 u f"},
    {Gcm | ChaCha, "d b a7 a13 u21 u w f"},
    {Gcm | ChaCha, "e k i a20 u5 D u11 u f g16 j a3 u f g8"},
    // The end by EVP_Cipher().
    {Gcm | ChaCha, "e b A20 c N g i A20 c O g"},
    {Gcm | ChaCha, "d b w A20 c N"},
    {Gcm | ChaCha, "d b x A20 c N"},
    {Gcm | ChaCha, "d b A20 c w O"},
    {Gcm | ChaCha, "d b A20 c x O"},
    {Gcm | ChaCha, "d b x N"},
    {Gcm | ChaCha, "d b x A20 O"},
    {Gcm, "d b N"},
    {Gcm | ChaCha, "e b u0 N g"},
    {Ccm, "e @ b n A20 c O g"},
    {Ccm, "d @ w b n A20 c O"},
    {Ccm, "d @ x b n A20 c"},
    // Init in parts.
    {Gcm, "e i k a20 u f g"},
    {Gcm, "d i w k a20 u f"},
    {Aeads, "e @ k i n a20 u f g K j n u f g"},
    {Gcm | ChaCha, "e i B a20 u f g"},
    // IVs that are counted: OpenSSH's order, and others.
    {Gcm, "e i F-1 k G1 A20 c N g G1 A20 c N g"},
    {Gcm, "d i F-1 k G1 w A20 c N G1 w A20 c N"},
    {Gcm, "d i F-1 k G1 x A20 c N"},
    {Gcm, "e b F-1 G12 a20 u f g16 K G12 a20 u f g16 G-1 u f g v"},
    {Gcm, "e b F-1 G0 u f g v G4 u f g v G0 D u f g"},
    {Gcm, "e b F-1 a20 u f g u5"},
    {Gcm, "e b a20 F-1 u f g"},
    {Gcm, "e b u40 G12 u f g"},
    {Gcm, "e k G12"},
    {Gcm, "e i F-1 G12 k G12 u f g"},
    {Gcm, "e b G12 a20 u f g G12"},
    {Gcm, "e b F3 F5 a20 u f g"},
    {Gcm, "d b F4 V8 w a20 u f V8 w a20 u f V3 u f"},
    {Gcm, "d b V8 w a20 u f"},
    {Gcm, "d k F4 w V8 D a20 u f"},
    {Gcm, "e b a20 u40 V8 u f g"},
    {Gcm, "d b w a20 u40 V8 u f"},
    {Gcm, "e k l20 i F12 V8 l12 V8 F4"},
    {Gcm, "e k l20 i F-1 G20 u f g G20 u f g"},
    // The length of the IV behind the IV.
    {Gcm, "e b l16 u"},
    {Gcm, "e b a20 u40 l16 f"},
    {Gcm, "e b a20 u40 l16 i a20 u f g"},
    {Gcm, "e l16 k i a20 u f g l20 j u f g"},
    {Gcm, "d b w u40 l16 u"},
    {Ccm, "e @ k l11 n"},
    // A tag of another length, and one that is set again.
    {Ccm, "e @ b n a20 u f g16 g10 g"},
    {Ccm, "e b u f g16 g8 g12"},
    {Ccm, "e @ b n a20 u t6 f g6 g"},
    {Ccm, "e t16 @ b n a20 t4 u g4 g"},
    {Ccm, "d @ b w4 n a20 u"},
    {Ccm, "d @ b w w4 n a20 u"},
    {Ccm, "d @ b t17 t3 w n a20 u f"},
    {Gcm | ChaCha, "e b a20 u f g4 g16 g1 g17 g0"},
    {Gcm | ChaCha, "d b w5 a20 u f"},
    {Gcm | ChaCha, "d b x w t17 a20 u f"},
    {Aeads, "e @ b w n a20 u f g"},
    // Nothing of something, and what is not there.
    {Gcm | ChaCha, "e b a0 a20 a0 u40 a0 u0 u a0 f g"},
    {Gcm | ChaCha, "d b w a20 u100 a0 u f"},
    {Gcm | ChaCha, "e u0 a0 b u f g"},
    {Ccm, "e @ b n a20 a0 u a0 f g"},
    {Gcm, "e b a20 u40 n7"},
    {Gcm, "e b a20 n7 g"},
    {Ccm, "e k u"},
    {Ccm, "e @ b a20"},
    {Gcm | Ccm, "e i u"},
    {Gcm, "d k u"},
    // Records, and their parameters amidst messages.
    {Gcm, "e k F-1 r"},
    {Gcm, "e i F-1 k r R r D r K r"},
    {Gcm, "d k F4 r R D r"},
    {Gcm, "d k F4 s r"},
    {Gcm, "d k F4 r f"},
    {Gcm, "e b r"},
    {Gcm, "e k F-1 h f"},
    {Gcm, "e b h a20"},
    {Gcm, "e b a20 u40 q12 q14 q0 u f g"},
    {Gcm, "e b a20 q12 u f g"},
    {Ccm, "e @ F4 k r R r D r"},
    {Ccm, "d @ F4 k r R D r"},
    {Ccm, "d @ F4 k s"},
    {Ccm, "e @ b r R"},
    {Ccm, "e @ b F4 F3 n a20 u f g"},
    {Ccm, "e @ k j F4 n a20 u f g"},
    {Ccm, "e @ b h f"},
    {Ccm, "e @ b n a20 F4 u f g"},
    {Ccm, "e @ b n a20 q12 u f g"},
    {ChaCha, "e b r R D r K r"},
    {ChaCha, "d b r R D r"},
    {ChaCha, "d b s"},
    {ChaCha, "e k F12 r R"},
    {ChaCha, "e b h f"},
    {ChaCha, "e b h u20"},
    {ChaCha, "e b h i a20 u f g"},
    {ChaCha, "e b a20 u40 q12 F4 u f g"},
    {ChaCha, "e b u f g r"},
    {ChaCha, "e b q12 a20 q12 u f g"},
    // Padding that changes, and copies.
    {Blocks, "d b u p0 f"},
    {Blocks, "d b u32 p0 f u5 u11 f"},
    {Blocks, "d b u32 p0 u0 f"},
    {Blocks, "d b u32 p0 u16 f"},
    {Blocks, "d b u20 p0 f"},
    {Blocks, "d p0 b u32 p1 f"},
    {Blocks, "d p0 b u20 p1 f"},
    {Blocks, "e b u20 p0 f"},
    {Blocks, "e b u5 D u27 p0 u0 f p1 u f"},
    {Blocks, "e b u f u f i u f v"},
    {Blocks, "d b u100 D u p1 f v"},
    {Blocks | Ctr, "e i k c64 v c16 i c32 v"},
    {Blocks | Ctr, "d i k c64 v c16 i c32 v"},
    {Blocks | Ctr, "e b u0 N O u5 N u f v"},
    {Ctr, "e i k u7 D c30 u100 u v f i u100 K u v"},
};
enum { Orders = sizeof(kOrders) / sizeof(kOrders[0]) };

// Whose last call the provider must refuse, whatever OpenSSL does. Before it `f` and `u` may fail.
static const struct {
  int kinds;
  const char *words;
} kRefused[] = {
    {Aeads, "e @ b n u f u"},
    {Gcm | ChaCha, "e b u40 K u"},
    {Aeads, "e @ b n u f g b g"},
    {Gcm, "e b F-1 G12 u f g G12 g"},
    {Gcm | ChaCha, "d b a20 u f"},
    {Gcm | ChaCha, "d b x a20 u f w f"},
    {Ccm, "d @ b f"},
    {Ccm, "d @ x b n a20 u f"},
    {Ccm, "e l11 t8 k l12 i u"},
    {Ccm, "e l13 t8 k l12 i u"},
    {Ccm, "e @ F4 k r u"},
    {ChaCha, "e b r u"},
    {ChaCha, "e k u"},
    {ChaCha, "e i u"},
    {ChaCha, "e b a20 F12"},
    {ChaCha, "e b u F12"},
    {Aeads, "e @ k i F3"},
};
enum { Refused = sizeof(kRefused) / sizeof(kRefused[0]) };

// What is encrypted, and what it is then.
typedef struct {
  size_t len, sealed_len;
  uint8_t sealed[Most], tag[Block];
} text_t;

// A context, what it wrote last, and where in its order it is.
typedef struct {
  unsigned cipher;
  const text_t *text;
  EVP_CIPHER *found;
  EVP_CIPHER_CTX *ctx;
  bool encrypt;
  size_t at, aad_at;
  unsigned records;
  int written;
  uint8_t out[Most];
} side_t;

static const uint8_t kKeys[2][32] = {{1, 2, 3}, {4, 5, 6}},
                     kIvs[2][32] = {{7, 8, 9, 10, 11, 12}, {13, 14, 15}};
static OSSL_LIB_CTX *software;
static uint8_t plain[Text], aad[Aad];
static uint64_t state;
static unsigned tried, differing;

static void begin_side(side_t *side, unsigned cipher, const text_t *text, bool ours) {
  memset(side, 0, sizeof(*side));
  side->cipher = cipher;
  side->text = text;
  side->found = EVP_CIPHER_fetch(ours ? NULL : software, kCiphers[cipher].name,
                                 ours ? "provider=cryptile" : NULL);
  side->ctx = EVP_CIPHER_CTX_new();
  need(side->found != NULL && side->ctx != NULL, kCiphers[cipher].name);
}

static void end_side(side_t *side) {
  EVP_CIPHER_CTX_free(side->ctx);
  EVP_CIPHER_free(side->found);
}

static int control(side_t *side, int what, long len, const void *bytes) {
  return EVP_CIPHER_CTX_ctrl(side->ctx, what, (int)len, (void *)bytes);
}

static int init(side_t *side, const EVP_CIPHER *cipher, const uint8_t *key, const uint8_t *iv) {
  side->at = side->aad_at = 0;
  return EVP_CipherInit_ex2(side->ctx, cipher, key, iv, side->encrypt, NULL);
}

// An update, or EVP_Cipher(). `out` null: associated data.
static int give(side_t *side, uint8_t *out, const uint8_t *in, size_t len, bool at_once) {
  int made = 0, result;
  if (at_once) {
    result = made = EVP_Cipher(side->ctx, out, in, (unsigned)len);
  } else {
    result = EVP_CipherUpdate(side->ctx, out, &made, in, (int)len);
  }
  side->written = out != NULL && made > 0 ? made : 0;
  return result;
}

static int give_text(side_t *side, long len, bool at_once) {
  const uint8_t *from = side->encrypt ? plain : side->text->sealed;
  size_t left = (side->encrypt ? side->text->len : side->text->sealed_len) - side->at;
  size_t part = len < 0 || (size_t)len > left ? left : (size_t)len;
  if (at_once && kCiphers[side->cipher].kind == Blocks) {
    part -= part % Block;
  }
  int result = give(side, side->out, from + side->at, part, at_once);
  side->at += part;
  return result;
}

static int give_aad(side_t *side, long len, bool at_once) {
  int result = give(side, NULL, aad + side->aad_at, (size_t)len, at_once);
  side->aad_at += (size_t)len;
  return result;
}

static int lengths(side_t *side) {
  return kCiphers[side->cipher].kind != Ccm ||
         (control(side, EVP_CTRL_AEAD_SET_IVLEN, kCiphers[side->cipher].iv_len, NULL) &&
          control(side, EVP_CTRL_AEAD_SET_TAG, kCiphers[side->cipher].tag_len, NULL));
}

static size_t explicit_len(const side_t *side) {
  return kCiphers[side->cipher].kind == ChaCha ? 0 : Explicit;
}

static int give_head(side_t *side) {
  size_t told = explicit_len(side) + side->text->len +
                (side->encrypt ? 0 : (size_t)kCiphers[side->cipher].tag_len);
  const uint8_t head[] = {[7] = (uint8_t)side->records, 23,           3, 3,
                          (uint8_t)(told >> 8),         (uint8_t)told};
  side->records++;
  return control(side, EVP_CTRL_AEAD_TLS1_AAD, sizeof(head), head);
}

// A record is made in place.
static int give_record(side_t *side, bool at_once) {
  size_t tag = (size_t)kCiphers[side->cipher].tag_len;
  int behind = give_head(side);
  return behind != (int)tag ? behind
                            : give(side, side->out, side->out,
                                   explicit_len(side) + side->text->len + tag, at_once);
}

// What OpenSSL makes of the text as the record of this number, with the first key and IV.
static void seal_record(const side_t *side, uint8_t *out) {
  int kind = kCiphers[side->cipher].kind;
  side_t maker;
  begin_side(&maker, side->cipher, side->text, false);
  maker.encrypt = true;
  maker.records = side->records;
  memcpy(maker.out + explicit_len(side), plain, side->text->len);
  need(init(&maker, maker.found, NULL, NULL) && lengths(&maker) &&
           init(&maker, NULL, kKeys[0], kIvs[0]) &&
           (kind != Gcm || control(&maker, EVP_CTRL_AEAD_SET_IV_FIXED, -1, kIvs[0])) &&
           give_record(&maker, false) > 0,
       "no record to decrypt");
  memcpy(out, maker.out, Most);
  end_side(&maker);
}

static int try_record(side_t *side, bool spoilt, bool at_once) {
  memset(side->out, 0, Most);
  if (side->encrypt) {
    memcpy(side->out + explicit_len(side), plain, side->text->len);
  } else {
    seal_record(side, side->out);
    side->out[explicit_len(side)] ^= spoilt;
  }
  return give_record(side, at_once);
}

static int give_tag(side_t *side, long len, bool wrong) {
  uint8_t tag[Block + 1];
  memcpy(tag, side->text->tag, Block);
  tag[0] ^= wrong;
  return control(side, EVP_CTRL_AEAD_SET_TAG, len, tag);
}

// What is written by a parameter, of all that there is room for.
static int take(side_t *side, int what, long len, int room) {
  memset(side->out, 0, (size_t)room);
  side->written = room;
  return control(side, what, len, side->out);
}

static int take_iv(side_t *side) {
  memset(side->out, 0, 32);
  side->written = 32;
  return EVP_CIPHER_CTX_get_updated_iv(side->ctx, side->out, 32);
}

static int copy(side_t *side) {
  EVP_CIPHER_CTX *old = side->ctx;
  side->ctx = EVP_CIPHER_CTX_dup(old);
  need(side->ctx != NULL, "no copy");
  EVP_CIPHER_CTX_free(old);
  return 1;
}

static int finish(side_t *side) {
  side->at = 0;
  return EVP_CipherFinal_ex(side->ctx, side->out, &side->written);
}

// The end or the beginning of an IV.
static int give_iv(side_t *side, int what, long len) {
  int whole = EVP_CIPHER_CTX_get_iv_length(side->ctx);
  side->at = side->aad_at = 0;
  return control(side, what, len, kIvs[0] + (what == EVP_CTRL_GCM_SET_IV_INV ? whole - len : 0));
}

static int next_iv(side_t *side, long len) {
  side->at = side->aad_at = 0;
  return take(side, EVP_CTRL_GCM_IV_GEN, len, 32);
}

typedef struct {
  char letter;
  bool has_number;
  long number;
} word_t;

// Null: there are no more.
static const char *next_word(const char *at, word_t *word) {
  char *behind;
  if (*at == '\0') {
    return NULL;
  }
  word->letter = *at;
  word->number = strtol(at + 1, &behind, 10);
  word->has_number = behind != at + 1;
  return behind + strspn(behind, " ");
}

static int call(side_t *side, word_t word) {
  char letter = word.letter;
  long number = word.number;
  long tag = word.has_number ? number : kCiphers[side->cipher].tag_len;
  long text = word.has_number ? number : -1, all = word.has_number ? number : (long)side->text->len;
  side->written = 0;
  switch (letter) {
    case 'e':
    case 'd':
      side->encrypt = letter == 'e';
      return init(side, side->found, NULL, NULL);
    case 'k':
    case 'K':
      return init(side, NULL, kKeys[letter == 'K'], NULL);
    case 'i':
    case 'j':
      return init(side, NULL, NULL, kIvs[letter == 'j']);
    case 'b':
    case 'B':
      return init(side, NULL, kKeys[letter == 'B'], kIvs[letter == 'B']);
    case '@':
      return lengths(side);
    case 'l':
      return control(side, EVP_CTRL_AEAD_SET_IVLEN, number, NULL);
    case 'p':
      return EVP_CIPHER_CTX_set_padding(side->ctx, (int)number);
    case 't':
      return control(side, EVP_CTRL_AEAD_SET_TAG, number, NULL);
    case 'w':
    case 'x':
      return give_tag(side, tag, letter == 'x');
    case 'n':
      // Only CCM wants it.
      return !word.has_number && kCiphers[side->cipher].kind != Ccm
                 ? 1
                 : give(side, NULL, NULL, (size_t)all, false);
    case 'g':
      return take(side, EVP_CTRL_AEAD_GET_TAG, tag, Block + 1);
    case 'a':
    case 'A':
      return give_aad(side, number, letter == 'A');
    case 'u':
    case 'c':
      return give_text(side, text, letter == 'c');
    case 'f':
      return finish(side);
    case 'D':
      return copy(side);
    case 'N':
    case 'O':
      return give(side, letter == 'O' ? side->out : NULL, NULL, 0, true);
    case 'v':
      return take_iv(side);
    case 'F':
      return give_iv(side, EVP_CTRL_AEAD_SET_IV_FIXED, number);
    case 'G':
      return next_iv(side, number);
    case 'V':
      return give_iv(side, EVP_CTRL_GCM_SET_IV_INV, number);
    case 'q':
      return control(side, EVP_CTRL_AEAD_TLS1_AAD, number, aad);
    case 'r':
    case 'R':
    case 's':
      return try_record(side, letter == 's', letter == 'R');
    case 'h':
      return give_head(side);
    default:
      need(false, "no such word");
      return 0;
  }
}

// Whether both wrote the same. Of a record that is refused that is all of it, as it is wiped.
static bool same(const side_t *ours, const side_t *theirs, bool good, bool refused) {
  size_t len = refused ? Most : good ? (size_t)ours->written : 0;
  return (!good || ours->written == theirs->written) && memcmp(ours->out, theirs->out, len) == 0;
}

// An order on both sides, up to the first call that both refuse text, the end or a record by.
static void compare(unsigned cipher, const text_t *text, const char *words) {
  static side_t ours, theirs;
  word_t word;
  begin_side(&ours, cipher, text, true);
  begin_side(&theirs, cipher, text, false);
  tried++;
  for (const char *at = words; (at = next_word(at, &word)) != NULL;) {
    int result = call(&ours, word), wanted = call(&theirs, word);
    bool good = wanted > 0 || (wanted == 0 && strchr("cANORrs", word.letter) != NULL);
    if (result != wanted || !same(&ours, &theirs, good, word.letter == 's')) {
      fprintf(stderr,
              "%s, %zu bytes, %s: '%c' before %zu gives %d of %d bytes, OpenSSL's %d of %d\n",
              kCiphers[cipher].name, text->len, words, word.letter, (size_t)(at - words), result,
              ours.written, wanted, theirs.written);
      differing++;
      break;
    }
    if (!good && strchr("uacAfNOrRsn", word.letter) != NULL) {
      break;
    }
  }
  end_side(&ours);
  end_side(&theirs);
}

static void refuse(unsigned cipher, const text_t *text, const char *words) {
  static side_t side;
  word_t word;
  int result = 1;
  begin_side(&side, cipher, text, true);
  tried++;
  for (const char *at = words; (at = next_word(at, &word)) != NULL;) {
    need(result > 0, words);
    result = call(&side, word);
    result = *at != '\0' && strchr("fu", word.letter) != NULL ? 1 : result;
  }
  if (result > 0) {
    fprintf(stderr, "%s, %zu bytes, %s: is not refused\n", kCiphers[cipher].name, text->len, words);
    differing++;
  }
  end_side(&side);
}

// A text as OpenSSL seals it, with the first key and IV and 20 bytes of associated data.
static void seal(unsigned cipher, size_t len, text_t *text) {
  static side_t maker;
  word_t word;
  text->len = len;
  text->sealed_len = 0;
  begin_side(&maker, cipher, text, false);
  bool aead = (kCiphers[cipher].kind & Aeads) != 0;
  const char *at = aead ? "e @ b n a20 u f" : "e b u f";
  while ((at = next_word(at, &word)) != NULL) {
    need(call(&maker, word) > 0, "no text to decrypt");
    memcpy(text->sealed + text->sealed_len, maker.out, (size_t)maker.written);
    text->sealed_len += (size_t)maker.written;
  }
  need(!aead || control(&maker, EVP_CTRL_AEAD_GET_TAG, kCiphers[cipher].tag_len, text->tag),
       "no tag");
  end_side(&maker);
}

typedef struct {
  char words[MostWords];
  size_t len;
} order_t;

static void add(order_t *order, const char *word) {
  size_t len = strlen(word);
  need(order->len + len + 1 < MostWords, "an order is too long");
  memcpy(order->words + order->len, word, len);
  order->words[order->len + len] = ' ';
  order->len += len + 1;
}

static void add_number(order_t *order, char word, unsigned number) {
  char text[16];
  snprintf(text, sizeof(text), "%c%u", word, number);
  add(order, text);
}

// What may stand anywhere in a message.
static void add_odd(order_t *order, int kind) {
  static const char *const kGcm[] = {"V8", "F3", "F-1", "q12", "t17", "a0", "u0", "G12", "l16"};
  static const char *const kCcm[] = {"F3", "q12", "t17", "p0", "t6"};
  static const char *const kChaCha[] = {"F4", "q12", "t17", "a0", "u0"};
  static const char *const kPlain[] = {"u0", "p0", "p1", "c16", "N", "v", "f"};
  if (draw(&state, 8) == 0) {
    add(order, "D");
  } else if (draw(&state, 3) == 0) {
    add(order, kind == Gcm      ? kGcm[draw(&state, 9)]
               : kind == Ccm    ? kCcm[draw(&state, 5)]
               : kind == ChaCha ? kChaCha[draw(&state, 5)]
                                : kPlain[draw(&state, 7)]);
  }
}

static void add_pieces(order_t *order, int kind, char word, unsigned most) {
  for (unsigned i = draw(&state, 4); i != 0; i--) {
    add_number(order, word, draw(&state, most));
    add_odd(order, kind);
  }
}

static void add_aad(order_t *order, int kind) {
  unsigned cut = draw(&state, 21);
  if (kind == Ccm) {
    add(order, "n a20");
  } else if ((kind & Aeads) != 0) {
    add_number(order, 'a', cut);
    add_odd(order, kind);
    add_number(order, 'A', 20 - cut);
  }
}

static void add_message(order_t *order, int kind, bool encrypt) {
  bool aead = (kind & Aeads) != 0;
  if (kind == Gcm && draw(&state, 4) == 0) {
    add(order, "F-1 G4");
  }
  if (aead && !encrypt) {
    add(order, draw(&state, 6) == 0 ? "x" : "w");
  }
  add_aad(order, kind);
  add_odd(order, kind);
  if (kind != Ccm) {
    add_pieces(order, kind, 'u', draw(&state, 2) == 0 ? 20 : 150);
  }
  add(order, aead && draw(&state, 2) == 0 ? "c" : "u");
  add(order, aead && draw(&state, 2) == 0 ? "O" : "f");
  if (aead && encrypt) {
    add(order, "g");
  }
}

// Messages, or now and then records.
static void draw_order(order_t *order, int kind) {
  static const char *const kFirst[] = {"b", "k i", "i k"}, *const kNext[] = {"i", "b", "j", "B"};
  bool encrypt = draw(&state, 2) == 0, records = (kind & Aeads) != 0 && draw(&state, 4) == 0;
  add(order, encrypt ? "e @" : "d @");
  add(order, kFirst[draw(&state, 3)]);
  for (unsigned messages = 1 + draw(&state, 3), i = 0; i < messages; i++) {
    if (records) {
      add(order, kind == Gcm && draw(&state, 2) == 0 ? "F-1" : "D");
      add(order, draw(&state, 2) == 0 ? "r" : "R");
    } else {
      add_message(order, kind, encrypt);
    }
    add(order, kNext[draw(&state, 4)]);
  }
}

static void compare_any(unsigned cipher, const text_t *text) {
  order_t order = {.len = 0};
  draw_order(&order, kCiphers[cipher].kind);
  compare(cipher, text, order.words);
}

// An IV that is made for a message without one: the other side decrypts with it.
static void compare_made_iv(unsigned cipher, const text_t *text, bool ours) {
  static side_t from, to;
  uint8_t iv[12], tag[Block], sealed[Most];
  begin_side(&from, cipher, text, ours);
  begin_side(&to, cipher, text, !ours);
  from.encrypt = true;
  tried++;
  need(init(&from, from.found, kKeys[0], NULL) && give_aad(&from, 20, false) &&
           give_text(&from, -1, false),
       "no message without an IV");
  memcpy(sealed, from.out, text->len);
  need(finish(&from) && control(&from, EVP_CTRL_AEAD_GET_TAG, Block, tag) &&
           EVP_CIPHER_CTX_get_updated_iv(from.ctx, iv, sizeof(iv)),
       "no end of a message without an IV");
  if (!init(&to, to.found, kKeys[0], iv) || !control(&to, EVP_CTRL_AEAD_SET_TAG, Block, tag) ||
      !give_aad(&to, 20, false) || !give(&to, to.out, sealed, text->len, false) ||
      memcmp(to.out, plain, text->len) != 0 || !finish(&to) || give_text(&from, 1, false)) {
    fprintf(stderr, "%s, %zu bytes: an IV that %s has made\n", kCiphers[cipher].name, text->len,
            ours ? "the provider" : "OpenSSL");
    differing++;
  }
  end_side(&from);
  end_side(&to);
}

static void compare_all(unsigned cipher, size_t len, unsigned count) {
  static text_t text;
  seal(cipher, len, &text);
  for (unsigned i = 0; i < Orders; i++) {
    if ((kOrders[i].kinds & kCiphers[cipher].kind) != 0) {
      compare(cipher, &text, kOrders[i].words);
    }
  }
  for (unsigned i = 0; i < Refused; i++) {
    if ((kRefused[i].kinds & kCiphers[cipher].kind) != 0) {
      refuse(cipher, &text, kRefused[i].words);
    }
  }
  for (unsigned i = 0; i < count; i++) {
    compare_any(cipher, &text);
  }
  if (kCiphers[cipher].kind == Gcm) {
    compare_made_iv(cipher, &text, true);
    compare_made_iv(cipher, &text, false);
  }
}

int main(int count, char **words) {
  // Below what the tile takes; above; and more than GCM's first job makes a tag of.
  static const size_t kLens[] = {45, 150, Text};
  need(count == 3, "usage: provider_orders SEED COUNT");
  state = strtoull(words[1], NULL, 0);
  for (size_t i = 0; i < Text; i++) {
    plain[i] = (uint8_t)draw(&state, 256);
    aad[i % Aad] = (uint8_t)draw(&state, 256);
  }
  software = OSSL_LIB_CTX_new();
  OSSL_PROVIDER *ours = OSSL_PROVIDER_load(NULL, "cryptile");
  need(ours != NULL, "the provider does not load");
  need(software != NULL && OSSL_PROVIDER_load(software, "default") != NULL, "no default provider");
  for (unsigned cipher = 0; cipher < Ciphers; cipher++) {
    for (unsigned i = 0; i < sizeof(kLens) / sizeof(kLens[0]); i++) {
      compare_all(cipher, kLens[i], (unsigned)atoi(words[2]));
    }
  }
  printf("%u orders, %u differ; %llu jobs\n", tried, differing,
         (unsigned long long)provider_count(ours, "jobs"));
  OSSL_PROVIDER_unload(ours);
  OSSL_LIB_CTX_free(software);
  return differing != 0;
}
