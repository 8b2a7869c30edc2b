"""libkcapi's own tests through AF_ALG, where the tile's algorithms have the highest priority.

They are as they are in Debian's source, but for what ``CUT`` leaves out, and why.
"""

import re

import pytest
from support import libkcapi

from cryptile.linux import kbuild
from cryptile.linux.boot import boot
from cryptile.linux.selftests import COMPLAINT, NO_TESTS

CUT = {
    # Linux has no AF_ALG for these: libkcapi's patches of the kernel add it.
    r"s/^\s*(asymfunc|kppfunc|multipletest_asym) [0-9].*/:/": "asymmetric keys",
    # It asks for drbg_nopr_sha1, which Linux 6.12 has no longer; its sizes show elsewhere.
    r"s/^auxtest$/:/": "random generators",
    # 16,777,216 iterations of HMAC-SHA-1, which the tile has not, some system calls each.
    r"s/PBKDFEXEC=\"1 2 3 4 /PBKDFEXEC=\"1 2 3 /": "a test vector",
    # Of 100, each the same 360,448 requests with other bytes.
    r"s/ROUNDS=100/ROUNDS=1/": "rounds of random requests",
    # Of 15 and 16: each takes minutes, by a system call for each of PBKDF2's iterations.
    r"s/^for i in (0 )?1 15 .*/for i in 1 16 65537/": "lengths of files",
}
SHORTER = {
    r"s/^\s*(symfunc|aeadfunc|multipletest_).*\s-[gjmsu]\b.*/:/": "parts, threads, copies",
    r"s/PBKDFEXEC=.*/PBKDFEXEC=\"1 2 7\"/": "4096 iterations",
    r"s/HKDFEXEC=.*/HKDFEXEC=\"1 3\"/": "long messages",
}
"""What ``make soak`` has besides."""

SCRIPTS = ["test", "kcapi-convenience", "kcapi-enc-test-large"]
LONGER = ["kcapi-fuzz-test", "kcapi-enc-test", "kcapi-dgst-test"]
"""For ``make soak``: random requests, and tests of the packaged programs beside OpenSSL's."""

WAYS = ["algif_hash", "algif_skcipher", "algif_aead", "algif_rng"]
MODULES = [*WAYS, "crypto_user", "des_generic", "cmac"]

SCRIPT = r"""
mount -t debugfs none /sys/kernel/debug
mkdir -p /var/tmp
insmod /cryptile.ko
cd /tests
for script in SCRIPTS; do
  sed -E -i "$(cat /cut)" $script.sh
  echo "== $script"
  before=$(sed -n 's/^jobs //p' /sys/kernel/debug/*.crypto/stats)
  KCAPI_TEST_LOCAL=0 bash ./$script.sh 2>&1
  status=$?
  after=$(sed -n 's/^jobs //p' /sys/kernel/debug/*.crypto/stats)
  echo "jobs: $((after - before)) status: $status"
done
echo == messages
dmesg
"""

PERL = "#!/bin/sh\nexec xxd -r -p\n"
"""Scripts ask Perl for bytes of hexadecimal digits, and for nothing else."""


def suite(folder, cut, scripts, seconds):
    """Of each script the lines of its tests, and the tile's jobs; and the kernel's messages."""
    (folder / "cut").write_text("\n".join(cut))
    (folder / "perl").write_text(PERL)
    driver = kbuild.driver()
    files = libkcapi.programs() | libkcapi.scripts()
    ended = boot(
        SCRIPT.replace("SCRIPTS", " ".join(scripts)),
        sets=["kcapi", "bash", "openssl"],
        modules=[*kbuild.software_of(driver), *MODULES],
        files={"/cryptile.ko": driver, "/cut": folder / "cut", "/bin/perl": folder / "perl"}
        | {f"/tests/{name}": path for name, path in files.items()},
        command_line=[NO_TESTS],
        seconds=seconds,
    )
    output, _, messages = ended.output.decode(errors="replace").partition("== messages\n")
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace", messages)
    words = re.split(r"^== ([\w-]+)\n", output, flags=re.MULTILINE)[1:]
    return dict(zip(words[::2], words[1::2], strict=True))


def judge(came):
    """Return how many tests of each script passed; none may have failed."""
    failed = re.findall(r"\[FAILED.*", "".join(came.values()))
    assert failed == []
    assert re.findall(r"\[DEACTIVATED.*", "".join(came.values())) == []
    for script, text in came.items():
        jobs, status = re.search(r"^jobs: (\d+) status: (\d+)$", text, re.MULTILINE).groups()
        assert int(jobs) > 0, script
        assert status == "0", script
    return {script: text.count("[PASSED") for script, text in came.items()}


def test_suite(tmp_path):
    passed = judge(suite(tmp_path, [*CUT, *SHORTER], SCRIPTS, 900))
    assert passed == dict(zip(SCRIPTS, (160, 1, 1), strict=True))


@pytest.mark.soak
def test_whole_suite(tmp_path):
    passed = judge(suite(tmp_path, CUT, SCRIPTS + LONGER, 10_000))
    assert min(passed.values()) > 0
    assert passed["test"] > 900
