"""Bender.yml and the FuseSoC cores: the same files, and FuseSoC really builds from them."""

import importlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from cryptile.project import BUILD, ROOT
from cryptile.toolchain import rtl, tools

COMMENT = re.compile(r"//.*")


def bender_files():
    manifest = yaml.safe_load((ROOT / "Bender.yml").read_text())
    return [ROOT / file for group in manifest["sources"] for file in group["files"]]


def rtl_cores():
    cores = rtl.cores()
    return {name for name in cores if not name.startswith("cryptile:soc:")}


def test_bender_lists_what_the_cores_list():
    assert sorted(bender_files()) == sorted(rtl.resolve(*sorted(rtl_cores())).files)


def test_bender_exports_the_folders_of_included_files():
    manifest = yaml.safe_load((ROOT / "Bender.yml").read_text())
    folders = {ROOT / folder for folder in manifest["export_include_dirs"]}
    assert folders == set(rtl.resolve(*sorted(rtl_cores())).include_dirs)


@pytest.mark.parametrize("core", sorted(rtl_cores()))
def test_bender_keeps_the_order_of_compilation(core):
    place = {file: index for index, file in enumerate(bender_files())}
    packages = [file for file in rtl.resolve(core).files if file.name.endswith("_pkg.sv")]
    for package in packages:
        users = [
            file
            for file in rtl.resolve(core).files
            if file != package and f"{package.stem}::" in COMMENT.sub("", file.read_text())
        ]
        assert all(place[package] < place[user] for user in users)


@pytest.mark.soak
def test_bender_itself_lists_our_files(tmp_path):
    """A project that depends on the checkout, as Bender sees it: files in order, and folders."""
    if shutil.which("bender") is None:
        pytest.skip(
            "bender is not on the PATH: cargo install bender --version 0.32.1 --locked "
            "--no-default-features"
        )
    (tmp_path / "Bender.yml").write_text(
        f"package: {{name: mine}}\ndependencies: {{cryptile: {{path: {ROOT}}}}}\n"
        "sources: [top.sv]\n"
    )
    (tmp_path / "top.sv").write_text("module top; endmodule\n")
    printed = subprocess.run(
        ["bender", "script", "flist-plus"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    files = [Path(line) for line in printed if line.endswith(".sv")]
    assert files == [*bender_files(), tmp_path / "top.sv"]
    folders = {Path(line[8:]) for line in printed if line.startswith("+incdir+")}
    assert folders == set(rtl.resolve(*sorted(rtl_cores())).include_dirs)


def test_an_engine_gets_pins():
    sources = rtl.resolve("cryptile:engine:keccak")
    assert rtl.top("cry_keccak_sponge", sources, {"A": "1"}) == rtl.Top(
        "cry_keccak_sponge", {"A": "1"}
    )
    top = rtl.top("cry_keccak_engine", sources, {"RoundsPerCycle": "2"})
    assert (top.module, top.parameters, top.scope) == ("cry_engine_flat", {}, "u_engine.")
    assert top.defines == ("CRYPTILE_ENGINE=cry_keccak_engine#(.RoundsPerCycle(2))",)


def test_every_rtl_file_belongs_to_a_core():
    listed = set(rtl.resolve(*rtl_cores()).files)
    assert set((ROOT / "rtl").glob("**/*.sv")) == listed


PROCESSORS = ["pythondata_cpu_cv32e40p", "pythondata_cpu_cva6", "pythondata_cpu_ibex"]


@pytest.mark.parametrize("package", PROCESSORS)
def test_no_name_is_taken_by_a_processor(package):
    """Modules of both meet in one model, and a name can stand for one of them only."""
    folder = Path(importlib.import_module(package).__file__).parent
    theirs = {file.stem for file in folder.glob("**/*.sv")}
    ours = {file.stem for top in ("rtl", "soc") for file in (ROOT / top).glob("**/*.sv")}
    assert theirs
    assert ours
    assert ours & theirs == set()


def fusesoc(*words):
    """Run FuseSoC on the library that this checkout is, and on our test's core."""
    command = [
        tools.find("fusesoc"),
        "--cores-root",
        ROOT / "rtl",
        "--cores-root",
        ROOT / "tests" / "packaging",
        *words,
    ]
    BUILD.mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        [str(word) for word in command],
        cwd=BUILD,
        env=tools.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_fusesoc_builds_a_core_that_depends_on_ours():
    work = BUILD / "fusesoc-test"
    result = fusesoc(
        "run", "--clean", "--build-root", work, "--target", "lint", "example:integrator:top"
    )
    assert result.returncode == 0, result.stdout
    assert "cry_hwpe_shell.sv" in "".join(file.read_text() for file in work.glob("**/*.vc"))


def targets():
    """Cores and their targets beside the default one, with the module on top."""
    for path in sorted((ROOT / "rtl").rglob("*.core")):
        core = yaml.safe_load(path.read_text().removeprefix("CAPI=2:"))
        for target, said in core["targets"].items():
            if target != "default":
                yield pytest.param(
                    core["name"].rpartition(":")[0],
                    target,
                    said["toplevel"],
                    id=f"{path.stem}-{target}",
                )


@pytest.mark.soak
@pytest.mark.parametrize(("core", "target", "top"), list(targets()))
def test_fusesoc_runs_the_targets(core, target, top):
    """Lint runs; of synthesis, whose tool is not free, the project is made."""
    work = BUILD / "fusesoc-targets" / core.replace(":", "_") / target
    setup = ["--setup"] if target == "synth" else []
    result = fusesoc("run", "--clean", *setup, "--build-root", work, "--target", target, core)
    assert result.returncode == 0, result.stdout
    made = "".join(file.read_text() for file in work.rglob("*") if file.suffix in {".vc", ".tcl"})
    assert f"{top}.sv" in made


def test_every_core_with_a_top_has_targets():
    found = {param.values[0].rpartition(":")[2] for param in targets()}
    engines = {path.stem for path in (ROOT / "rtl/engine").glob("*/*.core")}
    assert engines - {"lockstep", "port"} <= found
    assert {"axi_dma", "axis_engine", "dma_engine", "hwpe_engine", "tile", "select"} <= found


def test_the_checkout_is_a_library_of_its_own_cores(tmp_path):
    """No core of a test is seen by who adds this repository as a library."""
    listed = subprocess.run(
        [
            tools.find("fusesoc"),
            "--cores-root",
            ROOT / "rtl",
            "--cores-root",
            ROOT / "tests",
            "core",
            "list",
        ],
        cwd=tmp_path,
        env=tools.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cryptile:shell:tile" in listed.stdout
    assert "example:integrator" not in listed.stdout


def test_rules_of_coverage_name_files_that_are():
    """A pattern that matches nothing switches nothing off."""
    patterns = [
        (path, pattern)
        for path in (ROOT / "tests").rglob("*.vlt")
        for pattern in re.findall(r'-file "\*/([^"]+)"', path.read_text())
    ]
    assert patterns
    rtl_folder = ROOT / "rtl"
    assert [
        (path, pattern)
        for path, pattern in patterns
        if not list(rtl_folder.glob(f"**/{pattern.removeprefix('rtl/')}"))
    ] == []
