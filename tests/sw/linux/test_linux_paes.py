"""Keys that the kernel never has: ``ecb``, ``cbc``, ``ctr`` and ``xts(paes)`` with tokens, under a
wrapping key that firmware has left in the tile. Firmware's part is played by the guest's script,
before the driver is there.
"""

import os
import re
import shlex
from pathlib import Path

import pytest
from support.key_slots import ANY_SLOT, Use, kek, wrapped
from support.tile_model import AES

from cryptile import layout
from cryptile.jobs.oracle import aes
from cryptile.linux.boot import boot
from cryptile.linux.kbuild import module, software_of
from cryptile.linux.machine import TILE_BASE
from cryptile.toolchain import tools

pytestmark = pytest.mark.xdist_group("linux")

SLOT, KEK_BYTES = 3, 32
SLOTS, STRIDE, SEAL = 0x1000, 0x80, 0x1800  # regs/tile.rdl
OFFSETS = layout.blocks()["tile_slot"].offsets
MODES = {"ecb": aes.ECB, "cbc": aes.CBC, "ctr": aes.CTR, "xts": aes.XTS}
LENGTHS = {"ecb": (16, 24, 32), "cbc": (16, 24, 32), "ctr": (16, 24, 32), "xts": (32, 64)}
DEVICE = "11000000.crypto"
REBIND = "; ".join(
    f"echo {DEVICE} >/sys/bus/platform/drivers/cryptile/{way}" for way in ("unbind", "bind")
)
SLEEP = "echo devices >/sys/power/pm_test; echo mem >/sys/power/state"
KEK = os.urandom(KEK_BYTES)


def firmware():
    """Script that writes the wrapping key into its slot, and seals."""
    use = kek(key_bytes=KEK_BYTES)
    writes = []
    for name, value in use.writes(KEK):
        register, _, word = name.rstrip("]").partition("[")
        writes.append((SLOTS + SLOT * STRIDE + OFFSETS[register] + 4 * int(word or 0), value))
    writes.append((SEAL, 1))
    return "".join(f"busybox devmem {TILE_BASE + at:#x} 32 {value:#x}\n" for at, value in writes)


def token(mode, key, *, under=KEK, slot=ANY_SLOT, **rights):
    """A sealed key for a mode."""
    said = {"encrypt": True, "decrypt": True} | rights
    use = Use(AES, (MODES[mode],), len(key), owners=(), **said)
    iv, aad = os.urandom(16), use.wrapped_for(slot)
    return aad + iv + wrapped(under, iv, key.ljust(-(-len(key) // 16) * 16, b"\0"), aad)


class Asked:
    """Commands for the guest, and what each must print."""

    def __init__(self):
        self.script, self.expected = "", {}

    def ask(self, name, mode, sealed, iv, text, expected, decrypt=False):
        words = [f"{mode}(paes)", sealed.hex(), iv.hex() or "-", text.hex()]
        words += ["decrypt"] * decrypt
        self.script += f"echo '{name}:' $(crypto_sealed {shlex.join(words)})\n"
        self.expected[name] = expected if isinstance(expected, str) else expected.hex()

    def both_ways(self, name, mode, key):
        """Encrypt and decrypt with a key in a token."""
        sealed, iv = token(mode, key), os.urandom(0 if mode == "ecb" else 16)
        text = os.urandom(77 if mode in ("ctr", "xts") else 80)
        cipher, _ = aes.crypt(MODES[mode], key, iv, text, b"")
        self.ask(name, mode, sealed, iv, text, cipher)
        self.ask(f"{name} back", mode, sealed, iv, cipher, text, decrypt=True)


def run(folder, script, program, files=None, modules=("algif_skcipher",)):
    """Boot with firmware's key and the driver, and run a script with a program of the guest's."""
    built = folder / program
    tools.run([
        tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"), "-O2", "-static", "-std=c11",
        "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror",
        Path(__file__).parent / f"guest/{program}.c", "-o", built,
    ])  # fmt: skip
    driver = module("sw/linux/driver", "sw/driver/core", "sw/hal/gen", "sw/include")
    ended = boot(
        f"{firmware()}insmod /cryptile.ko\n{script}dmesg",
        modules=[*software_of(driver), *modules],
        files={"/cryptile.ko": driver, f"/bin/{program}": built, **(files or {})},
        firmware={"cryptile,wrapping-slot": SLOT, "cryptile,wrapping-key-bytes": KEK_BYTES},
        command_line=["cryptomgr.notests=1", "suspend.pm_test_delay=0"],
    )
    return ended.output.decode()


def test_sealed_keys(tmp_path):
    """Right answers for each mode and length, also when the device has gone and come, and slept;
    tokens that are spoilt, forged or for something else are refused."""
    asked = Asked()
    for mode, lengths in LENGTHS.items():
        for length in lengths:
            asked.both_ways(f"{mode} {length}", mode, os.urandom(length))
    for name, between in (("bound", REBIND), ("awake", SLEEP)):
        asked.script += f"{between}\n"
        asked.both_ways(name, "xts", os.urandom(64))
    key, iv, text = os.urandom(16), os.urandom(16), bytes(32)
    rejected = "read: EKEYREJECTED"
    good = token("cbc", key)
    for at in (0, 17, 40, len(good) - 1):
        spoilt = good[:at] + bytes([good[at] ^ 32]) + good[at + 1 :]
        asked.ask(f"spoilt at {at}", "cbc", spoilt, iv, text, rejected)
    asked.ask("forged", "cbc", token("cbc", key, under=bytes(32)), iv, text, rejected)
    asked.ask("of another mode", "ctr", good, iv, text, rejected)
    one_way = token("cbc", key, decrypt=False)
    asked.ask("one way", "cbc", one_way, iv, text, rejected, decrypt=True)
    asked.ask("for a slot", "cbc", token("cbc", key, slot=5), iv, text, "key: EINVAL")
    asked.ask("cut", "cbc", good[:-1], iv, text, "key: EINVAL")
    asked.ask("a clear key", "cbc", os.urandom(64), iv, text, "key: EINVAL")
    asked.ask("after all", "cbc", good, iv, text, aes.crypt(aes.CBC, key, iv, text, b"")[0])

    output = run(tmp_path, asked.script, "crypto_sealed")
    said = dict(re.findall(r"^([\w ]+): ([0-9a-f]+|\w+: E\w+)$", output, re.MULTILINE))
    assert {name: said.get(name) for name in asked.expected} == asked.expected
    assert not re.search(r"WARNING|BUG|Oops|Call Trace|Unable to handle", output)


SECTOR, SECTORS = 512, 64


def test_disk(tmp_path):
    """dm-crypt with a sealed key from the keyring: the kernel never has it, the disk is what it
    would be with the key, and another tile's token opens nothing.
    """
    key, text = os.urandom(64), os.urandom(SECTOR * SECTORS)
    data = tmp_path / "text"
    data.write_bytes(text)

    def opened(sealed, then):
        table = f"capi:xts(paes)-plain64 :{len(sealed)}:logon:cryptile:disk 0 /dev/ram0 0"
        words = ["disk", str(SECTORS), "crypt", table, "logon", "cryptile:disk", sealed.hex()]
        return f"dm_table {shlex.join(words)}\n{then}\ndm_table disk\n"

    output = run(
        tmp_path,
        opened(token("xts", key), "dd if=/text of=/dev/dm-0 bs=4096 conv=fsync; echo written $?")
        + "echo raw: $(dd if=/dev/ram0 bs=4096 count=8 | od -An -v -tx1 | tr -d ' \\n')\n"
        + opened(token("xts", key), "cmp /text /dev/dm-0; echo same $?")
        + opened(
            token("xts", key, under=bytes(32)), "dd if=/dev/dm-0 of=/dev/null; echo refused $?"
        ),
        "dm_table",
        {"/text": data},
        ("dm-crypt", "brd"),
    )
    sectors = [text[at : at + SECTOR] for at in range(0, len(text), SECTOR)]
    cipher = [
        aes.crypt(aes.XTS, key, number.to_bytes(16, "little"), sector)[0]
        for number, sector in enumerate(sectors)
    ]
    assert "written 0\n" in output
    assert f"raw: {b''.join(cipher).hex()}\n" in output
    assert "same 0\n" in output
    assert "refused 1\n" in output
    assert not re.search(r"WARNING|BUG|Oops|Call Trace|Unable to handle", output)
