"""Every public header stands alone, in C and in C++, under a strict compiler."""

from pathlib import Path

import pytest

from cryptile import library
from cryptile.toolchain import tools

HEADERS = sorted(str(path.relative_to(library.INCLUDE)) for path in library.INCLUDE.rglob("*.h"))
LANGUAGES = {
    "c11": ("gcc", "c"),
    "c++17": ("g++", "cpp"),
}
OPERATIONS = ("hash", "xof", "mac", "cipher", "aead", "key_derivation")


def compiles(tmp_path: Path, standard: str, text: str) -> None:
    compiler, suffix = LANGUAGES[standard]
    source = tmp_path / f"header.{suffix}"
    source.write_text(text)
    tools.run(
        [
            tools.find(compiler, "build-essential"),
            f"-std={standard}",
            *tools.words("-Wall -Wextra -pedantic -Wshadow -Werror -fsyntax-only"),
            "-I",
            library.INCLUDE,
            source,
        ]
    )


@pytest.mark.parametrize("standard", LANGUAGES)
@pytest.mark.parametrize("header", HEADERS)
def test_alone(tmp_path: Path, header: str, standard: str) -> None:
    compiles(tmp_path, standard, f'#include "{header}"\nint something;\n')


@pytest.mark.parametrize("standard", LANGUAGES)
def test_initialisers(tmp_path: Path, standard: str) -> None:
    """In either language an operation begins by its macro or its function; sizes are constants."""
    begin = "".join(
        f"void {kind}(void) {{\n"
        f"  psa_{kind}_operation_t one = PSA_{kind.upper()}_OPERATION_INIT;\n"
        f"  psa_{kind}_operation_t two = psa_{kind}_operation_init();\n"
        f"  (void)psa_{kind}_abort(&one);\n  (void)psa_{kind}_abort(&two);\n}}\n"
        for kind in OPERATIONS
    )
    text = f"""\
#include "psa/crypto.h"
{begin}
void key(void);
uint8_t tag[PSA_MAC_LENGTH(PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256))];
uint8_t text[PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, PSA_ALG_CBC_PKCS7, 100)];
uint8_t last[PSA_CIPHER_FINISH_OUTPUT_MAX_SIZE + PSA_AEAD_FINISH_OUTPUT_MAX_SIZE];
void key(void) {{
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_reset_key_attributes(&attributes);
}}
"""
    prototypes = "".join(f"void {kind}(void);\n" for kind in OPERATIONS)
    compiles(tmp_path, standard, prototypes + text)
