"""CVA6's data cache with the snoop of the tile SoC, alone: coherence, exactness, cost."""

from functools import cache
from pathlib import Path

import pytest
from support.mutated import ASSERTION, mutated

from cryptile.errors import CryptileError
from cryptile.systems import cpus, cva6_patches, tile
from cryptile.toolchain import tools
from cryptile.toolchain.cache import build as cached
from cryptile.toolchain.cache import digest

FOLDER = Path(__file__).parent / "dcache"

WHOLE_SET = "a whole set is dropped"
MUTANTS = {
    "answered while lines are left": (
        "tsoc_snoop.sv",
        "dropped_q  <= dropped_q + CountWidth'(dropping_q)",
        "dropped_q  <= dropped_q + CountWidth'(wrote_i && wrote_last_i)",
    ),
    "words are not snooped": (
        "tsoc_snoop.sv",
        ".in_valid_i (wrote_i)",
        ".in_valid_i (wrote_i && (wrote_last_i || wrote_addr_i[4]))",
    ),
    "a refill under way stays": ("tsoc_dcache_valid.sv", "stale_q <= 1'b1", "stale_q <= 1'b0"),
    "snooped while a line is filled": (
        "tsoc_dcache_valid.sv",
        "snoop_ready_o = fill == '0",
        "snoop_ready_o = 1'b1",
    ),
    "the second place is another line": (
        "wt_dcache_mem.sv",
        "snoop_addr_i[DCACHE_INDEX_WIDTH +: SnoopTagWidth]",
        "snoop_addr_i[DCACHE_INDEX_WIDTH +: SnoopTagWidth] ^ SnoopTagWidth'(snoop_addr_i[30])",
    ),
    "the copy of a tag is an old one": (
        "tsoc_dcache_valid.sv",
        "if (fill[w])    tags[wr_set_i] <= wr_tag_i;",
        "if (fill[w] && !taken_q) tags[wr_set_i] <= wr_tag_i;",
    ),
    "a reservation outlives the other's write": (
        "tsoc_memory.sv",
        "(other_wrote_i && same_place(reserved_addr_q, other_addr_i))",
        "1'b0",
    ),
    WHOLE_SET: (
        "tsoc_dcache_valid.sv",
        "taken_q && (tag_q == taken_tag_q)",
        "taken_q",
    ),
}
"""What breaks a rule of soc/tile/README.md: in a file, a text and another one."""


@cache
def model(mutant: str | None = None, *, snoop: bool = True) -> Path:
    """Build the caches with the snoop, or as CVA6's package has them."""
    sources = tile.sources()
    package = tools.package_dir("pythondata_cpu_cva6") / "system_verilog"
    originals = {
        Path(name).name: package / name
        for name in cva6_patches.patches(fpu=False)
        if "cache_subsystem" in name and not snoop
    }
    own = [originals.get(path.name, path) for path in sources.files]
    files = [*own, FOLDER / "tb_dcache.sv"]
    how = [
        *tools.words(
            "--cc --exe --build --assert -O3 -Wno-fatal --top-module tb_dcache "
            "--x-assign unique --x-initial unique"
        ),
        "-CFLAGS",
        f"-std=c++17 -Wall -Wextra -include {tools.COLD}",
        "-MAKEFLAGS",
        f"{tools.ONE_FILE} OPT_FAST=-O1 OPT_GLOBAL=-O2",
        *(f"+define+{name}" for name in cpus.defines("cva6")),
        *([] if snoop else ["+define+WITHOUT_SNOOP"]),
    ]

    def make(folder: Path) -> None:
        changed = mutated(files, mutant and MUTANTS[mutant], folder)
        tools.run(
            [
                "verilator",
                *how,
                "-Mdir",
                folder,
                "-o",
                "dcache",
                *(f"+incdir+{path}" for path in sources.include_dirs),
                *tile.waivers,
                *changed,
                FOLDER / "dcache.cpp",
            ],
            log=folder / "build.log",
        )

    inputs = [*sources.inputs, *originals.values(), *tile.waivers, *sorted(FOLDER.iterdir())]
    key = digest(inputs, how, mutant and MUTANTS[mutant], tools.version("verilator"))
    return cached("dcache", key, make) / "dcache"


def numbers(model: Path, *words: object) -> dict[str, int]:
    """Run the bench and return what it counted."""
    printed = tools.run([model, *map(str, words)]).split()
    return {name: int(value) for name, value in zip(printed[::2], printed[1::2], strict=True)}


@pytest.mark.parametrize(
    ("bursts", "seed"),
    [(10_000, 1), (10_000, 2), pytest.param(1_000_000, 3, marks=pytest.mark.soak)],
)
def test_no_stale_byte(bursts: int, seed: int):
    """Every load gets a byte that was in memory when it began, or later; see dcache.cpp."""
    counted = numbers(model(), "stress", bursts, seed)
    assert counted["bursts"] == bursts
    for what in ("loads", "killed", "stores", "atomics", "flushes"):
        assert counted[what] > bursts / 1000


def test_only_the_written_lines_are_lost():
    counted = numbers(model(), "exact", 1)
    assert counted["again"] == 0
    assert 200 < counted["written"] == counted["lost"]


def test_cost():
    """Lines in the cache cost the writer nothing, and the snoop costs loads nothing."""
    for line in tools.run([model(), "cost"]).splitlines():
        words = line.split()
        cost = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        assert cost["cached"] == cost["uncached"]
        assert cost["loads"] == cost["alone"]


@pytest.mark.soak
def test_nothing_changes_while_the_tile_is_idle():
    """What the core is answered, and in which cycle, is what CVA6's own caches answer."""
    for seed in (1, 2):
        with_snoop, without = (
            numbers(model(snoop=snoop), "idle", 1_000_000, seed) for snoop in (True, False)
        )
        assert with_snoop == without
        for what in ("loads", "killed", "stores", "atomics", "flushes"):
            assert with_snoop[what] > 100


@pytest.mark.soak
@pytest.mark.parametrize("mutant", [name for name in MUTANTS if name != WHOLE_SET])
def test_a_broken_rule_is_seen(mutant: str):
    broken = model(mutant)
    with pytest.raises(CryptileError, match=rf"cycle \d+: |{ASSERTION}"):
        numbers(broken, "stress", 100_000, 1)


@pytest.mark.soak
def test_lines_lost_without_need_are_seen():
    counted = numbers(model(WHOLE_SET), "exact", 1)
    assert counted["written"] < counted["lost"]
