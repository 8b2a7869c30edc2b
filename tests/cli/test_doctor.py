"""``cryptile doctor`` looks for the packages that are pinned."""

from cryptile import doctor
from cryptile.project import ROOT


def test_every_pinned_package_is_looked_for():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line.split()[0] for line in lines if "==" in line]
    found = [check.name for check in doctor.checks() if check.purpose == "Python package"]
    assert len(pins) > 100
    assert found == pins


def test_a_package_of_another_version_is_missing():
    assert doctor._package("pytest==0.0.1").found is None
