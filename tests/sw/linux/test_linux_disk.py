"""Encrypted disks as people have them: Debian's ``cryptsetup`` makes LUKS2 on a RAM disk, dm-crypt
has the tile encrypt its sectors, Debian's ``fio`` writes and verifies them; what the tile wrote the
kernel's software reads, and the other way round.
"""

import re

import pytest

from cryptile.linux import kbuild
from cryptile.linux.boot import boot
from cryptile.linux.selftests import COMPLAINT, NO_TESTS

AUTHENTIC = "--integrity-no-wipe --sector-size 4096 --key-size"
"""Disks that say themselves whether a sector is what was written."""

DISKS = {
    "xts": "--cipher aes-xts-plain64 --sector-size 512 --key-size 512",
    "xts4k": "--cipher aes-xts-plain64 --sector-size 4096 --key-size 256",
    "cbc": "--cipher aes-cbc-essiv:sha256 --sector-size 512 --key-size 256",
    "gcm": f"--cipher aes-gcm-random --integrity aead {AUTHENTIC} 256",
    "mac": f"--cipher aes-xts-plain64 --integrity hmac-sha256 {AUTHENTIC} 512",
}
PART = 64 << 10
"""Bytes that fio writes with the tile; behind them it writes as many without."""

JOBS = {name: 1 if "4096" in words else 8 for name, words in DISKS.items()}
"""Jobs of the tile for 4 KiB, at least."""

MODULES = ["algif_skcipher", "algif_hash", "algif_aead", "dm-crypt", "dm-integrity", "essiv", "brd"]

SCRIPT = r"""
said() { what=$1; shift; "$@" >&2; echo "$disk: $what $?"; }
count() { echo "$disk: jobs $1 $(sed -n 's/^jobs //p' /sys/kernel/debug/*.crypto/stats)"; }
opens() { said "$1" cryptsetup open --type luks2 --key-file "$2" /dev/ram0 disk; }
closes() { said closed cryptsetup close disk; }
checks() { # what, offset, further words
  said "$1" fio --name=part --thread --filename=/dev/mapper/disk --ioengine=libaio --iodepth=8 \
    --direct=1 --rw=randwrite --bsrange=4k-16k --blockalign=4k --size=PART --offset="$2" \
    --verify=sha256 --verify_fatal=1 --randseed=7 --output=/tmp/fio $3
}
sums() { echo "$disk: hash $(dd if=/dev/mapper/disk bs=PART count=2 | sha256sum)"; }
PATH=$PATH:/usr/sbin
mkdir -p /run/cryptsetup
mount -t debugfs none /sys/kernel/debug
printf right >/phrase
printf wrong >/other
insmod /cryptile.ko
read -r disk words </disks
said formatted cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 \
  --pbkdf-force-iterations 1000 --luks2-metadata-size 16k --luks2-keyslots-size 512k \
  --key-file /phrase $words /dev/ram0
opens 'other phrase' /other
count begun
opens opened /phrase
checks 'tile wrote' 0
count wrote
closes
said removed rmmod cryptile
echo "$disk: left $(grep -c cryptile /proc/crypto)"
opens 'software opened' /phrase
checks 'software read' 0 --verify_only
checks 'software wrote' PART
sums
closes
said inserted insmod /cryptile.ko
opens 'tile opened' /phrase
count again
checks 'tile read' 0 --verify_only
checks 'tile read software' PART --verify_only
count read
sums
closes
begin=$(cryptsetup luksDump /dev/ram0 | sed -n 's/^.*offset: \([0-9]*\) .bytes.*$/\1/p')
dd if=/dev/zero of=/dev/ram0 bs=4k seek=$((begin / 4096 + 2)) conv=fsync
opens 'opened spoilt' /phrase
checks spoilt 0 --verify_only
said plain dd if=/dev/mapper/disk of=/dev/null bs=4096 count=1 iflag=direct
closes
rmmod cryptile
echo "all: removed $?"
dmesg
"""


LONGER = ("xts4k", "cbc", "mac")
"""For ``make soak``."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(disk, marks=[pytest.mark.soak] * (disk in LONGER)) for disk in DISKS],
)
def disk(request):
    return request.param


@pytest.fixture(scope="module")
def output(disk, tmp_path_factory):
    disks = tmp_path_factory.mktemp("disks") / "disks"
    disks.write_text(f"{disk} {DISKS[disk]}\n")
    driver = kbuild.driver()
    ended = boot(
        SCRIPT.replace("PART", str(PART)),
        sets=["cryptsetup", "fio"],
        modules=[*kbuild.software_of(driver), *MODULES],
        files={"/cryptile.ko": driver, "/disks": disks},
        command_line=[NO_TESTS],
        seconds=900,
    )
    return ended.output.decode()


def test_written_by_one_read_by_the_other(output, disk):
    """Each way of fio's verification, and the same bytes for both; whoever has another phrase has
    nothing."""
    lines = re.findall(rf"^{disk}: (.*)$", output, re.MULTILINE)
    ended = dict(line.rsplit(" ", 1) for line in lines if not line.startswith(("jobs", "hash")))
    right = ("formatted", "opened", "tile wrote", "closed", "removed", "left", "software opened",
             "software read", "software wrote", "inserted", "tile opened", "tile read",
             "tile read software")  # fmt: skip
    assert {what: ended.get(what) for what in right} == dict.fromkeys(right, "0"), lines
    assert ended["other phrase"] == "2"
    first, second = (line for line in lines if line.startswith("hash"))
    assert first == second
    jobs = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith("jobs")}
    # Written and verified, by the tile; then two parts verified.
    for before, after in (("begun", "wrote"), ("again", "read")):
        assert jobs[after] - jobs[before] >= 2 * (PART // 4096) * JOBS[disk]


def test_spoilt(output, disk):
    """fio tells what was overwritten; sectors with tags are not even read."""
    said = dict(re.findall(rf"^{disk}: (spoilt|plain) (\d+)$", output, re.MULTILINE))
    assert said["spoilt"] != "0"
    assert said["plain"] == ("1" if AUTHENTIC in DISKS[disk] else "0")


def test_no_trouble(output):
    assert "all: removed 0\n" in output
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace", output)
