"""What a caller of the tile's driver takes of jobs that went well."""

from cryptile.project import ROOT
from cryptile.toolchain import tools


def test_results_that_are_good(tmp_path):
    """Never one that failed, that has not ended, or that belongs to a job before."""
    program = tmp_path / "results"
    words = "-std=c11 -O1 -Wall -Wextra -Werror -fsanitize=undefined -fno-sanitize-recover=all"
    tools.run(
        [
            tools.find("gcc"),
            *tools.words(words),
            *(
                f"-I{ROOT / name}"
                for name in ("sw/include", "sw/driver/core", "sw/hal", "tests/sw/tile")
            ),
            ROOT / "tests/sw/tile/results.c",
            "-o",
            program,
        ]
    )
    tools.run([program])
