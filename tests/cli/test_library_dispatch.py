"""``cryptile library --dispatch``: several builds in one program, chosen by what Linux answers."""

import hashlib
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import UsageError
from cryptile.export.dispatch import descriptors, entry_points
from cryptile.toolchain import tools

ISAS = ("rv64im", "rv64im_zba_zbb", "rv64im_zkn")

PROGRAM = """\
#include "cryptile.h"
#include "cryptile/dispatch.h"
#include "psa/crypto.h"

__asm__(".globl _start\\n"
        "_start:\\n"
        "  .option push\\n  .option norelax\\n  lla gp, __global_pointer$\\n  .option pop\\n"
        "  mv a0, sp\\n  call run\\n  li a7, 93\\n  ecall\\n");

static void put(const void *data, size_t len) {
  register long fd __asm__("a0") = 1;
  register const void *from __asm__("a1") = data;
  register size_t count __asm__("a2") = len;
  register long call __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(fd) : "r"(from), "r"(count), "r"(call) : "memory");
}

static void put_text(const char *text) {
  size_t len = 0;
  while (text[len]) len++;
  put(text, len);
  put("\\n", 1);
}

#if FAKE
static long answers[4];  // what the call returns, base behaviour, key and value of extensions

static long number(const char *text) {
  long found = 0, sign = *text == '-' ? -1 : 1;
  for (text += *text == '-'; *text; text++) found = 10 * found + *text - '0';
  return sign * found;
}

long cryptile_dispatch_hwprobe(cryptile_hwprobe_t *pairs, size_t count) {
  if (count != 2 || pairs[0].key != 3 || pairs[1].key != 4) return -22;
  pairs[0].value = (uint64_t)answers[1];
  pairs[1].key = answers[2];
  pairs[1].value = (uint64_t)answers[3];
  return answers[0];
}
#endif

static int work(void) {
  static const uint8_t key[16] = "a key of 16 byte", iv[16] = "a first counter";
  static const uint8_t text[] = "The quick brown fox jumps over the lazy dog";
  uint8_t out[128];
  size_t len = sizeof text - 1, out_len;
  if (cryptile_hash(&cryptile_sha256, text, len, out) != CRYPTILE_OK) return 1;
  put(out, 32);
  cryptile_cipher_params_t params = {
      CRYPTILE_CTR, CRYPTILE_ENCRYPT, CRYPTILE_PAD_NONE, key, 16, iv};
  if (cryptile_cipher_crypt(CRYPTILE_CONSTANT_TIME, &params, text, len, out, sizeof out, &out_len))
    return 2;
  put(out, out_len);
  if (cryptile_x25519_public(out, text) != CRYPTILE_OK) return 3;
  put(out, 32);
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t id;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT);
  psa_set_key_algorithm(&attributes, PSA_ALG_GCM);
  if (psa_import_key(&attributes, key, sizeof key, &id) != PSA_SUCCESS) return 4;
  if (psa_aead_encrypt(id, PSA_ALG_GCM, iv, 12, key, 16, text, len, out, sizeof out, &out_len))
    return 5;
  put(out, out_len);
  return 0;
}

extern void (*__init_array_start[])(void), (*__init_array_end[])(void);

int run(long *stack) {
#if FAKE
  for (int n = 0; n < 4; n++) answers[n] = number(((char **)stack)[2 + n]);
#else
  (void)stack;
#endif
  for (void (**each)(void) = __init_array_start; each != __init_array_end; each++) (*each)();
  put_text(cryptile_dispatch_name());
  put_text(cryptile_aes_bitsliced.name);
  return work();
}
"""
TEXT = b"The quick brown fox jumps over the lazy dog"
KEY, IV = b"a key of 16 byte", b"a first counter\0"
EXPECTED = (
    hashlib.sha256(TEXT).digest()
    + Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor().update(TEXT)
    + X25519PrivateKey.from_private_bytes(TEXT[:32]).public_key().public_bytes_raw()
    + AESGCM(KEY).encrypt(IV[:12], TEXT, KEY)
)

BITS = {
    "zba": 3,
    "zbb": 4,
    "zbs": 5,
    "zbc": 7,
    "zbkb": 8,
    "zbkc": 9,
    "zbkx": 10,
    "zknd": 11,
    "zkne": 12,
    "zknh": 13,
}
"""From Linux: arch/riscv/include/uapi/asm/hwprobe.h."""
ZKN = {"zbkb", "zbkc", "zbkx", "zknd", "zkne", "zknh"}
EXT_0 = 4


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """The export and two programs: one asks the kernel, one takes answers from its arguments."""
    folder = tmp_path_factory.mktemp("dispatch")
    command = ["library", *(word for isa in ISAS for word in ("--isa", isa)), "--floats", "double"]
    result = CliRunner().invoke(app, [*command, "--dispatch", "-o", str(folder / "out")])
    assert result.exit_code == 0, result.output
    assert str(folder / "out" / "dispatch" / "libcryptile.a") in result.output
    (folder / "program.c").write_text(PROGRAM)
    for fake, name in enumerate(("asks", "fakes")):
        tools.run(
            [
                "riscv64-unknown-elf-gcc",
                *tools.words(
                    "-march=rv64imafd -mabi=lp64d -mcmodel=medany -O1 -Wall -Werror "
                    "-ffreestanding -nostdlib -static -Wl,--gc-sections "
                    "-Wl,-Ttext-segment=0x4000000000"
                ),
                f"-DFAKE={fake}",
                *tools.words("-Iout/include program.c -Lout/dispatch -lcryptile -lcryptile_mem"),
                "-o",
                name,
            ],
            cwd=folder,
        )
    return folder


def run(program, has, *answers):
    """Run a program on a core that has these extensions, and no other of those we know."""
    cpu = ",".join(f"{name}={'true' if name in has else 'false'}" for name in BITS)
    return subprocess.run(
        [
            tools.find("qemu-riscv64", "qemu-user"),
            "-cpu",
            f"rv64,{cpu}",
            program,
            *(str(answer) for answer in answers),
        ],
        capture_output=True,
        timeout=60,
        check=False,
    )


def bits(*extensions):
    return sum(1 << BITS[name] for name in extensions)


@pytest.mark.parametrize(
    ("has", "answers", "isa"),
    [
        ({"zba", "zbb"}, (0, 1, EXT_0, bits("zba", "zbb")), "rv64im_zba_zbb"),
        (ZKN, (0, 1, EXT_0, bits(*ZKN)), "rv64im_zkn"),
        ({"zba", "zbb", *ZKN}, (0, 1, EXT_0, bits(*BITS)), "rv64im_zkn"),
        (set(), (-38, 1, EXT_0, bits(*BITS)), "rv64im"),
        (set(), (0, 1, -1, 0), "rv64im"),
        (set(), (0, 1, -1, bits(*BITS)), "rv64im"),
        (set(), (0, 0, EXT_0, bits(*BITS)), "rv64im"),
    ],
    ids=["zbb", "zkn", "all", "ENOSYS", "unknown key", "unknown key with a value", "no IMA"],
)
def test_chooses_the_last_build_that_runs(out, has, answers, isa):
    result = run(out / "fakes", has, *answers)
    aes = "zkn" if isa == "rv64im_zkn" else "bitsliced"
    assert (result.returncode, result.stdout) == (0, f"{isa}\n{aes}\n".encode() + EXPECTED)


@pytest.mark.parametrize("missing", ["zba", "zbb", *sorted(ZKN)])
def test_a_build_wants_all_its_extensions(out, missing):
    others = ({"zba", "zbb"} if missing in ("zba", "zbb") else ZKN) - {missing}
    result = run(out / "fakes", others, 0, 1, EXT_0, bits(*others))
    assert result.stdout.startswith(b"rv64im\n")


def test_asks_the_kernel(out):
    """QEMU's user mode has no such call before version 8.1, and says what is there afterwards."""
    result = run(out / "asks", set())
    assert (result.returncode, result.stdout) == (0, b"rv64im\nbitsliced\n" + EXPECTED)


def test_runs_the_chosen_build(out):
    """Told of extensions that are not there, a program dies of an illegal instruction."""
    result = run(out / "fakes", set(), 0, 1, EXT_0, bits(*BITS))
    assert result.stdout == b"rv64im_zkn\nzkn\n"
    assert result.returncode < 0


def test_only_the_public_interface_is_without_prefix(out):
    listing = tools.run(
        ["riscv64-unknown-elf-nm", "--defined-only", "-g", out / "out" / "dispatch/libcryptile.a"]
    )
    kinds = {line.split()[2]: line.split()[1] for line in listing.splitlines() if " " in line}
    plain = {name for name in kinds if not name.startswith("rv64im_")}
    own = {name for name in plain if name.startswith("cryptile_dispatch_")}
    functions = {name for name in plain - own if kinds[name] == "T"}
    objects = {name for name in plain - own if kinds[name] == "D"}
    assert plain == own | functions | objects
    assert {"cryptile_dispatch_init", "cryptile_dispatch_name"} <= own
    assert functions <= set(entry_points())
    assert {"cryptile_hash", "cryptile_kmac_verify", "cryptile_p256_sign", "psa_aead_encrypt"} <= (
        functions
    )
    assert {"cryptile_sha256", "cryptile_aes_gcm", "cryptile_aes_bitsliced"} <= objects
    assert objects <= set(descriptors())
    assert "cryptile_aes_zkn" not in objects  # what the first build does not have
    for name in functions:
        assert {f"{isa}_{name}" for isa in ISAS} <= kinds.keys()


@pytest.mark.parametrize(
    ("isas", "message"),
    [
        (("rv64im", "rv32im"), "'rv32im': a choice at run time is for 64 bits only"),
        (("rv64im_zbb", "rv64im"), "'rv64im_zbb': the first build runs on every machine"),
        (("rv64im", "rv64im_xcarry"), "Linux cannot tell whether xcarry is there"),
    ],
)
def test_builds_that_cannot_be_chosen_from(tmp_path, isas, message):
    command = ["library", *(word for isa in isas for word in ("--isa", isa)), "--dispatch"]
    with pytest.raises(UsageError, match=message) as caught:
        CliRunner().invoke(app, [*command, "-o", str(tmp_path / "o")], catch_exceptions=False)
    assert caught.value.exit_code == 2
    assert not (tmp_path / "o").exists()
