"""Keys that the kernel never has: ``ecb``, ``cbc``, ``ctr`` and ``xts(paes)``, and ``phmac``, with
tokens, under a wrapping key that firmware has left in the tile. Firmware's part is
played by the guest's script, before the driver is there.
"""

import hmac
import os
import re
import shlex
from functools import partial
from pathlib import Path

import pytest
from support import paes_tokens
from support.linux_kernels import SLOWER, kernels, modules
from support.paes_tokens import HMACS, MODES

from cryptile.jobs.oracle import aes
from cryptile.linux import kbuild, ring, wrapping
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, LEAKS, NO_TESTS

KEK_BYTES = 32
LENGTHS = {"ecb": (16, 24, 32), "cbc": (16, 24, 32), "ctr": (16, 24, 32), "xts": (32, 64)}
HASH, *_, OTHER_HASH = HMACS
DEVICE = "11000000.crypto"
REBIND = "; ".join(
    f"echo {DEVICE} >/sys/bus/platform/drivers/cryptile/{way}" for way in ("unbind", "bind")
)
SLEEP = "echo devices >/sys/power/pm_test; echo mem >/sys/power/state"
KEK = os.urandom(KEK_BYTES)
token = partial(paes_tokens.token, under=KEK)


class Asked:
    """Commands for the guest, and what each must print."""

    def __init__(self):
        self.script, self.expected = "", {}

    def ask(self, name, mode, sealed, iv, text, expected, decrypt=False):
        words = [f"{mode}(paes)", sealed.hex(), iv.hex() or "-", text.hex()]
        self._run(name, words + ["decrypt"] * decrypt, expected)

    def _run(self, name, words, expected):
        self.script += f"echo '{name}:' $(crypto_sealed {shlex.join(words)})\n"
        self.expected[name] = expected if isinstance(expected, str) else expected.hex()

    def code(self, name, mode, sealed, text, expected, parts=False):
        words = [f"phmac({mode})", sealed.hex(), "-", text.hex()]
        self._run(name, words + ["parts"] * parts, expected)

    def both_ways(self, name, mode, key):
        """Encrypt and decrypt with a key in a token."""
        sealed, iv = token(mode, key), os.urandom(0 if mode == "ecb" else 16)
        text = os.urandom(77 if mode in ("ctr", "xts") else 80)
        cipher, _ = aes.crypt(MODES[mode], key, iv, text, b"")
        self.ask(name, mode, sealed, iv, text, cipher)
        self.ask(f"{name} back", mode, sealed, iv, cipher, text, decrypt=True)


REJECTED = "read: EKEYREJECTED"
DISK_KEY, SECTOR, SECTORS = os.urandom(64), 512, 64
TEXT = os.urandom(SECTOR * SECTORS)


def good_keys():
    """Each mode and length, also when the device has gone and come, and slept."""
    asked = Asked()
    for mode, lengths in LENGTHS.items():
        for length in lengths:
            asked.both_ways(f"{mode} {length}", mode, os.urandom(length))
    for mode in HMACS:
        for length in (1, 20, 32, 64):
            key, text = os.urandom(length), os.urandom(3 * length)
            code = hmac.digest(key, text, mode)
            asked.code(f"{mode} {length}", mode, token(mode, key), text, code)
        key, text = os.urandom(48), os.urandom(700)
        sealed = token(mode, key, contexts=True)
        asked.code(f"{mode} parts", mode, sealed, text, hmac.digest(key, text, mode), parts=True)
    for name, between in (("bound", REBIND), ("awake", SLEEP)):
        asked.script += f"{between}\n"
        asked.both_ways(name, "xts", os.urandom(64))
    return asked


def bad_keys():
    """Tokens that are spoilt, forged or for something else."""
    asked = Asked()
    key, iv, text = os.urandom(16), os.urandom(16), bytes(32)
    good = token("cbc", key)
    for at in (0, 17, 40, len(good) - 1):
        spoilt = good[:at] + bytes([good[at] ^ 32]) + good[at + 1 :]
        asked.ask(f"spoilt at {at}", "cbc", spoilt, iv, text, REJECTED)
    asked.ask("forged", "cbc", token("cbc", key, under=bytes(32)), iv, text, REJECTED)
    asked.ask("of another mode", "ctr", good, iv, text, REJECTED)
    one_way = token("cbc", key, decrypt=False)
    asked.ask("one way", "cbc", one_way, iv, text, REJECTED, decrypt=True)
    asked.ask("for a slot", "cbc", token("cbc", key, slot=5), iv, text, "key: EINVAL")
    asked.ask("cut", "cbc", good[:-1], iv, text, "key: EINVAL")
    asked.ask("a clear key", "cbc", bytes(64), iv, text, "key: EINVAL")
    code = token(HASH, key)
    spoilt = code[:33] + bytes([code[33] ^ 1]) + code[34:]
    verifies = token(HASH, key, encrypt=False)
    for name, mode, sealed, parts in (
        ("code spoilt", HASH, spoilt, False),
        ("code of another hash", OTHER_HASH, code, False),
        ("code for comparison", HASH, verifies, False),
        ("code of a cipher", HASH, good, False),
        ("code in parts", HASH, code, True),
    ):
        asked.code(name, mode, sealed, bytes(700), "send: EKEYREJECTED", parts=parts)
    asked.code("no code", HASH, key, text, "key: EINVAL")
    asked.code("code cut", HASH, code[:-1], text, "key: EINVAL")
    asked.ask("after all", "cbc", good, iv, text, aes.crypt(aes.CBC, key, iv, text, b"")[0])
    return asked


def opened(sealed, then):
    """Script for dm-crypt with a sealed key from the keyring, and what is done with the disk."""
    table = f"capi:xts(paes)-plain64 :{len(sealed)}:logon:cryptile:disk 0 /dev/ram0 0"
    words = ["disk", str(SECTORS), "crypt", table, "logon", "cryptile:disk", sealed.hex()]
    return f"dm_table {shlex.join(words)}\n{then}\ndm_table disk\n"


DISK_TOKEN = token("xts", DISK_KEY)


def disk():
    """Script for a disk that is opened three times."""
    other = token("xts", DISK_KEY, under=bytes(32))
    return (
        opened(DISK_TOKEN, "dd if=/text of=/dev/dm-0 bs=4096 conv=fsync; echo written $?")
        + "echo raw: $(dd if=/dev/ram0 bs=4096 count=8 | od -An -v -tx1 | tr -d ' \\n')\n"
        + opened(token("xts", DISK_KEY), "cmp /text /dev/dm-0; echo same $?")
        + opened(other, "dd if=/dev/dm-0 of=/dev/null; echo refused $?")
    )


GOOD, BAD = good_keys(), bad_keys()


@pytest.fixture(scope="module", params=kernels(pytest.mark.soak, Kernel.checked))
def kernel(request):
    return request.param


@pytest.fixture(scope="module")
def run(kernel, tmp_path_factory):
    """Boot with a wrapping key; return a script's output, and the kernel's messages."""
    folder = tmp_path_factory.mktemp("paes")
    (folder / "text").write_bytes(TEXT)
    files = {"/text": folder / "text"}
    for name in ("crypto_sealed", "dm_table"):
        source = Path(__file__).parent / f"guest/{name}.c"
        files[f"/bin/{name}"] = ring.alone(source, folder / name)
    files["/cryptile.ko"] = kbuild.driver(kernel.tree)
    files["/bin/ring_keys"] = ring.program(Path(__file__).parent / "guest/ring_keys.c")
    own = modules(kernel, files["/cryptile.ko"], "algif_skcipher", "algif_hash", "dm-crypt", "brd")

    def run(script, root=KEK, image=b""):
        (folder / "image").write_bytes(image)
        begin = f"mount -t debugfs none /sys/kernel/debug\n{wrapping.script(root)}"
        ended = boot(
            f"{begin}insmod /cryptile.ko\n{script}rmmod cryptile; echo removed $?\n{LEAKS}dmesg",
            modules=own,
            files={**files, "/image": folder / "image"},
            firmware=wrapping.properties(root),
            command_line=[NO_TESTS, "suspend.pm_test_delay=0"],
            kernel=kernel,
            seconds=300 * SLOWER[kernel],
        )
        return ended.output.decode()

    return run


@pytest.fixture(scope="module")
def output(run):
    """What the guest said to all of it."""
    return run(f"ring_keys load\n{GOOD.script}{BAD.script}{disk()}")


@pytest.mark.parametrize("asked", [GOOD, BAD], ids=["right answers", "refused"])
def test_sealed_keys(output, asked):
    said = dict(re.findall(r"^([\w ]+): ([0-9a-f]+|\w+: E\w+)$", output, re.MULTILINE))
    assert {name: said.get(name) for name in asked.expected} == asked.expected


def test_disk(output):
    """The disk is what it would be with the key; another tile's token opens nothing."""
    cipher = b"".join(
        aes.crypt(
            aes.XTS, DISK_KEY, at.to_bytes(16, "little"), TEXT[at * SECTOR : (at + 1) * SECTOR]
        )[0]
        for at in range(SECTORS)
    )
    for line in ("written 0", f"raw: {cipher.hex()}", "same 0", "refused 1"):
        assert f"{line}\n" in output


@pytest.mark.parametrize("root", [KEK, os.urandom(KEK_BYTES)], ids=["same root", "another root"])
def test_disk_on_a_second_boot(run, output, root):
    """What the first boot left on the disk, and the token, are all that the second one has. With
    another wrapping key the tile refuses the token, and nothing is read.
    """
    image = bytes.fromhex(re.search(r"^raw: (\w+)$", output, re.MULTILINE)[1])
    asked = Asked()
    text = bytes(16)
    cipher, _ = aes.crypt(aes.XTS, DISK_KEY, bytes(16), text, b"")
    is_same = root == KEK
    asked.ask("token", "xts", DISK_TOKEN, bytes(16), text, cipher if is_same else REJECTED)
    said = run(
        f"dd if=/image of=/dev/ram0 conv=fsync\n{asked.script}"
        + opened(DISK_TOKEN, "cmp /text /dev/dm-0; echo compared $?")
        + opened(DISK_TOKEN, "dd if=/dev/dm-0 of=/dev/null bs=512 count=1; echo read $?"),
        root,
        image,
    )
    lines = [f"token: {asked.expected['token']}", f"read {int(not is_same)}", "removed 0"]
    assert [line for line in lines if f"{line}\n" not in said] == []
    assert ("compared 0\n" in said) == is_same
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace", said)


def test_processes_get_no_key_slots(output):
    """Firmware has kept them, and does not tell the kernel of others."""
    assert "load: -9\n" in output


def test_no_trouble(output):
    """Nobody holds the module either."""
    assert "removed 0\n" in output
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace", output)
