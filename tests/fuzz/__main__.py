"""Start ``fuzz.py`` with what it needs: the folders of other tests, and the sanitizer's runtime."""

import os
import sys
from pathlib import Path

from cryptile.toolchain import tools

HERE = Path(__file__).parent


def main() -> None:
    """Become the fuzz."""
    others = ("", "sw", "sw/lib", "engine/drbg")
    folders = [HERE, *(HERE.parent / name for name in others)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*map(str, folders), *filter(None, sys.path)]),
    }
    if "--isa" not in sys.argv or "native" in sys.argv:
        runtime = tools.run([tools.find("gcc"), "-print-file-name=libasan.so"]).strip()
        environment["LD_PRELOAD"] = runtime
        environment["ASAN_OPTIONS"] = "detect_leaks=0:abort_on_error=1:quarantine_size_mb=4"
    os.execve(sys.executable, [sys.executable, str(HERE / "fuzz.py"), *sys.argv[1:]], environment)


main()
