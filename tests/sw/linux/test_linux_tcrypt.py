"""The kernel's ``tcrypt``, as Debian builds it: its tests of all algorithms that the driver has,
where nothing has a higher priority; and the requests by which it measures speed, one at a time and
eight at once.
"""

import lzma
import re

import pytest

from cryptile.linux import kbuild
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, NO_TESTS, TESTS_OFF

TESTS = {
    10: ["ecb-aes", "cbc-aes", "xts-aes", "ctr-aes"],
    33: ["sha224"],
    6: ["sha256"],
    11: ["sha384"],
    12: ["sha512"],
    48: ["sha3-224"],
    49: ["sha3-256"],
    50: ["sha3-384"],
    51: ["sha3-512"],
    105: ["hmac-sha224"],
    102: ["hmac-sha256"],
    103: ["hmac-sha384"],
    104: ["hmac-sha512"],
    153: ["cmac-aes"],
    35: ["gcm-aes"],
    151: ["rfc4106-gcm-aes"],
    37: ["ccm-aes"],
}
"""Its modes that test, and the driver's algorithms that each is for."""

SPEED = {
    215: "testing speed of multibuffer rfc4106(gcm(aes)) (cryptile-rfc4106-gcm-aes) encryption",
    216: "testing speed of multibuffer rfc4309(ccm(aes)) (rfc4309(cryptile-ccm-aes)) encryption",
    217: "testing speed of multibuffer rfc7539esp(chacha20,poly1305) (rfc7539esp(cryptile-chacha20",
    404: "testing speed of async sha256 (cryptile-sha256)",
    419: "testing speed of async sha3-256 (cryptile-sha3-256)",
    500: "testing speed of async ecb(aes) (cryptile-ecb-aes) encryption",
}
"""Modes that measure, and what each says of whom it asks."""

WITHOUT = {
    "chacha20": "it asks synchronous ones alone",
    "rfc7539-chacha20-poly1305": "it only measures it",
    "authenc-hmac-sha256-cbc-aes": "it has no mode for it",
    "authenc-hmac-sha384-cbc-aes": "it has no mode for it",
    "authenc-hmac-sha512-cbc-aes": "it has no mode for it",
}
"""What tcrypt does not test, and why."""

OTHERS = ["lrw", "cts", "essiv", "chacha20poly1305"]
"""Modules of what the same modes of tcrypt test besides."""

SCRIPT = f"""
mount -t debugfs none /sys/kernel/debug
insmod /cryptile.ko
echo 0 >{TESTS_OFF}
grep ^driver /proc/crypto
count() {{ sed -n 's/^jobs //p' /sys/kernel/debug/*.crypto/stats; }}
for mode in MODES; do
  before=$(count)
  echo "mode $mode begins" >/dev/kmsg
  said=$(insmod /tcrypt.ko mode=$mode sec=0 2>&1)
  echo "mode $mode: $(($(count) - before)) jobs${{said##*:}}"
done
rmmod cryptile; echo removed $?
dmesg
"""


def tcrypt(modes, folder):
    """What the guest said to some of tcrypt's modes."""
    (packed,) = Kernel.debian.package.rglob("crypto/tcrypt.ko.xz")
    module = folder / "tcrypt.ko"
    module.write_bytes(lzma.decompress(packed.read_bytes()))
    driver = kbuild.driver()
    ended = boot(
        SCRIPT.replace("MODES", " ".join(map(str, modes))),
        modules=[*kbuild.software_of(driver), *OTHERS],
        files={"/cryptile.ko": driver, "/tcrypt.ko": module},
        command_line=[NO_TESTS, "log_buf_len=4M"],
        seconds=3600,
    )
    output = ended.output.decode()
    assert "removed 0\n" in output
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace|tests failed|failed for", output)
    done = re.findall(r"^mode (\d+): (\d+) jobs (.*)$", output, re.MULTILINE)
    assert [int(mode) for mode, _, _ in done] == [*modes]
    # It never stays: so it says that all is well.
    assert {said for _, _, said in done} == {"Resource temporarily unavailable"}
    return output, {int(mode): int(jobs) for mode, jobs, _ in done}


def test_all_that_it_tests(tmp_path):
    output, jobs = tcrypt(TESTS, tmp_path)
    assert min(jobs.values()) > 10
    drivers = set(re.findall(r"^driver +: cryptile-(\S+)$", output, re.MULTILINE))
    assert {name for names in TESTS.values() for name in names} == drivers - {*WITHOUT}
    assert {*WITHOUT} < drivers


@pytest.mark.soak
def test_what_it_measures(tmp_path):
    """Requests of 16 bytes to 8 KiB; whether a digest is right it does not look at."""
    output, jobs = tcrypt(SPEED, tmp_path)
    assert min(jobs.values()) > 1000
    assert [text for text in SPEED.values() if text not in output] == []
