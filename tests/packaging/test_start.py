"""A stranger's path: the commands of docs/start.md, as they stand, from nothing built."""

import hashlib
import os
import re
import resource
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from cryptile.project import BUILD, ROOT

PAGE = (ROOT / "docs/start.md").read_text()
MOST_COMMANDS = 5


def paths():
    """Headings of the page, each with its seconds of a processor and its commands."""
    found = re.findall(
        r"^## ([^\n]*)\n\nIn less than (\d+) seconds[^\n]*\n\n```sh\n(.*?)```",
        PAGE,
        re.MULTILINE | re.DOTALL,
    )
    return {heading: (int(seconds), lines.splitlines()) for heading, seconds, lines in found}


def walk(heading, place, ends=()):
    """Run a path in a folder of its own, and return what the commands print.

    ``ends`` are words of commands that end with a finding; all others must succeed.
    """
    seconds, commands = paths()[heading]
    build = BUILD / "start"
    shutil.rmtree(build, ignore_errors=True)
    before, printed = spent(), []
    for command in commands:
        here = re.sub(r"(?<![\w/.])build/", f"{build}/", command).replace("/tmp/", f"{place}/")
        ended = subprocess.run(
            here,
            shell=True,
            cwd=ROOT,
            env=os.environ | {"CRYPTILE_BUILD": str(build)},
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
        expected = 1 if any(word in command for word in ends) else 0
        assert ended.returncode == expected, (here, ended.stdout, ended.stderr)
        printed.append(ended.stdout)
    took = spent() - before
    print(f"{heading}: {took:.0f} s of a processor")
    assert took < seconds, "the page promises less"
    return printed


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_paths_are_short():
    assert len(paths()) == PAGE.count("\n## ") == 5
    for heading, (_, commands) in paths().items():
        assert 2 <= len(commands) <= MOST_COMMANDS, heading
        assert commands[0] == "make bootstrap"
    readme = (ROOT / "README.md").read_text()
    assert "docs/start.md" in readme


def test_the_demo_says_first_how_long_it_takes_and_last_what_it_made():
    planned = subprocess.run(
        ["make", "-n", "--no-print-directory", "demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    first, *_, last = planned.stdout.splitlines()
    (time,) = re.findall(r'^echo "== (about [a-z]+ minutes on two cores)', first)
    assert last == "scripts/demo"
    assert time in (ROOT / "README.md").read_text()
    end = (ROOT / last).read_text().splitlines()[-1]
    assert re.fullmatch(r'say "the picture: \S+\.png   the page: \S+\.html"', end)


@pytest.mark.soak
def test_an_encrypted_file(tmp_path):
    walk("A file, encrypted on RTL", tmp_path)
    key = (tmp_path / "start.key").read_bytes()
    assert (tmp_path / "start.key").stat().st_mode & 0o777 == 0o600
    cipher = Cipher(algorithms.AES(key), modes.CTR(bytes(range(16)))).encryptor()
    expected = cipher.update((ROOT / "LICENSE").read_bytes())
    assert (tmp_path / "license.enc").read_bytes() == expected


@pytest.mark.soak
def test_own_firmware(tmp_path):
    *_, printed = walk("Firmware of your own", tmp_path)
    # FIPS 180-4, "abc"
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" in printed


@pytest.mark.soak
def test_own_rtl(tmp_path):
    *_, injected, proven = walk("Faults in RTL of your own", tmp_path, ends=("run", "prove"))
    assert "silent" in injected and "en_q" in injected
    assert "en_q" in proven


@pytest.mark.soak
def test_linux(tmp_path):
    *_, printed = walk("Linux that has its tile compute", tmp_path)
    assert printed == hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()


@pytest.mark.soak
def test_a_litex_soc(tmp_path):
    *_, printed = walk("An engine in a LiteX SoC", tmp_path)
    assert "equal to what cryptography says; decrypted; a wrong tag was found" in printed
