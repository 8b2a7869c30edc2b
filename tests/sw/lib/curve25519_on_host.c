// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Curve25519 on the host: carries out the commands of a file, one a line, with operands in
// hexadecimal ("-" for none), and prints a status and a result for each.
//   x25519 SECRET PEER, iterate SECRET PEER COUNT, public SEED, sign SEED PUBLIC MESSAGE,
//   verify SIGNATURE PUBLIC MESSAGE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cryptile/curve25519.h"

#define LINE 8192

typedef struct {
  uint8_t *bytes;  // on the heap, of the exact size, so that any overrun shows
  size_t len;
} operand_t;

static operand_t operand(void) {
  const char *text = strtok(NULL, " \n");
  operand_t o = {NULL, 0};
  if (text == NULL || *text == '-') {
    return o;
  }
  o.len = strlen(text) / 2;
  o.bytes = malloc(o.len);
  for (size_t i = 0; i < o.len; i++) {
    unsigned value = 0;
    sscanf(text + 2 * i, "%2x", &value);
    o.bytes[i] = (uint8_t)value;
  }
  return o;
}

static void iterate(uint8_t *k, const uint8_t *peer, unsigned long count) {
  uint8_t u[32], result[32];
  memcpy(u, peer, 32);
  while (count-- > 0) {
    if (cryptile_x25519(result, k, u) != CRYPTILE_OK) {
      abort();
    }
    memcpy(u, k, 32);
    memcpy(k, result, 32);
  }
}

static void command(const char *name, const operand_t *o) {
  uint8_t out[64] = {0};
  size_t len = 32;
  int status = 0;
  if (strcmp(name, "x25519") == 0) {
    status = cryptile_x25519(out, o[0].bytes, o[1].bytes);
  } else if (strcmp(name, "iterate") == 0) {
    memcpy(out, o[0].bytes, 32);
    iterate(out, o[1].bytes, o[2].bytes[0] * 256ul + o[2].bytes[1]);
  } else if (strcmp(name, "public") == 0) {
    status = cryptile_ed25519_public(out, o[0].bytes);
  } else if (strcmp(name, "sign") == 0) {
    len = 64;
    status = cryptile_ed25519_sign(out, o[2].bytes, o[2].len, o[0].bytes, o[1].bytes);
  } else {
    len = 0;
    status = cryptile_ed25519_verify(o[0].bytes, o[2].bytes, o[2].len, o[1].bytes);
  }
  printf("%d ", status);
  for (size_t i = 0; i < len; i++) {
    printf("%02x", out[i]);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  static char line[LINE];
  FILE *commands = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (commands == NULL) {
    return 1;
  }
  while (fgets(line, sizeof line, commands) != NULL) {
    const char *name = strtok(line, " \n");
    operand_t operands[3];
    for (int i = 0; i < 3; i++) {
      operands[i] = operand();
    }
    command(name, operands);
    for (int i = 0; i < 3; i++) {
      free(operands[i].bytes);
    }
  }
  fclose(commands);
  return 0;
}
