"""Kernels of the functional system that tests of the guest run on."""

import pytest

from cryptile.linux import kbuild
from cryptile.linux.kernels import Kernel

SLOWER = {Kernel.debian: 1, Kernel.newest: 10, Kernel.checked: 20}
"""Times the seconds that a boot may take: random tests are in the kernel, and checks."""


def kernels(mark, *others):
    """Parameters of a fixture: Debian's kernel, and others with a mark."""
    return [Kernel.debian, *(pytest.param(other, marks=mark) for other in others)]


def modules(kernel, driver, *names):
    """Return what is loaded before the driver, and modules by name, unless the kernel has all."""
    return [*kbuild.software_of(driver), *names] if kernel.package else []
