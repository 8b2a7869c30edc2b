"""Boots the guest with the provider of OpenSSL."""

from pathlib import Path

from support.linux_kernels import modules

from cryptile.linux import kbuild, provider
from cryptile.linux.boot import Result, boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import NO_TESTS

GUEST = Path(__file__).parent / "guest"
SLEEP = "echo devices >/sys/power/pm_test; echo mem >/sys/power/state"
"""The system's sleep, for a guest's shell."""


def run(
    folder,
    script,
    *,
    programs=(),
    files=None,
    more=(),
    tile=None,
    kernel=Kernel.debian,
    seconds=3000,
    **settings,
) -> Result:
    """Boot with driver and provider, and run a script."""
    driver = kbuild.driver(kernel.tree)
    config = folder / "openssl.cnf"
    config.write_text(provider.config(**settings))
    return boot(
        f"export OPENSSL_CONF=/openssl.cnf\ninsmod /cryptile.ko\nexec 2>&1\n{script}",
        sets=["openssl"],
        tile=tile,
        modules=modules(kernel, driver),
        files={
            "/cryptile.ko": driver,
            "/openssl.cnf": config,
            **provider.files(),
            **{f"/bin/{path.name}": path for path in programs},
            **(files or {}),
        },
        command_line=[NO_TESTS, *more],
        kernel=kernel,
        seconds=seconds,
    )
