"""Which tests one worker takes together, and in which order the tests are handed out.

A worker that is idle takes the next group of tests. What takes minutes comes first, so that the
last groups are short and the workers end together; before it comes what looks at every file within
seconds and finds what is most often wrong.
"""

import pytest

FIRST = ("tests/packaging/",)
LONGEST_FIRST = (
    "tests/soc/tile/",
    "tests/shell/tile/",
    "tests/sw/linux/",
    "tests/prim/",
    "tests/sw/lib/test_nothing_left.py",
    "tests/cli/test_bench_mcu.py",
    "tests/engine/",
    "tests/shell/",
    "tests/soc/stream/",
    "tests/soc/mcu/",
    "tests/cli/test_crypt_mcu.py",
    "tests/faults/",
    "tests/fuzz/",
)
"""The groups that take longest, as the report of a whole run shows them."""

BY_FILE = "tests/sw/linux/"
"""Each file is a group: guests take minutes, and the files one behind the other twelve of them."""


def arrange(items: list[pytest.Item]) -> None:
    """Group tests that share a costly fixture, and sort them, groups unbroken."""
    for item in items:
        group = _group(item)
        if group and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=_rank)


def check(items: list[pytest.Item]) -> None:
    """Refuse a pytest in which xdist ignores groups without a word (pytest-xdist issue 1386).

    xdist hands a group on as the end of a test's id.
    """
    ignored = [
        item.nodeid
        for item in items
        if (marker := item.get_closest_marker("xdist_group"))
        and not item.nodeid.endswith(f"@{marker.args[0]}")
    ]
    if ignored:
        raise RuntimeError(f"xdist ignores the groups of {len(ignored)} tests: {ignored[0]}")


def _group(item: pytest.Item) -> str:
    """Name the module whose fixtures a test is given, and their parameters; nothing if none."""
    if item.nodeid.startswith(BY_FILE):
        return item.path.stem
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    fixtures = item._fixtureinfo.name2fixturedefs
    names = sorted(name for name, found in fixtures.items() if found[-1].scope == "module")
    values = [str(parameters[name]) for name in names if name in parameters]
    return " ".join([item.path.stem, *values]) if names else ""


def _rank(item: pytest.Item) -> int:
    path = item.nodeid
    if path.startswith(FIRST):
        return -1
    ranks = (rank for rank, prefix in enumerate(LONGEST_FIRST) if path.startswith(prefix))
    return next(ranks, len(LONGEST_FIRST))
