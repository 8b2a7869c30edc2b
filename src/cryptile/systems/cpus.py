"""RTL of the processor cores, taken from their Python packages at build time."""

from pathlib import Path

from cryptile.errors import CryptileError, UsageError
from cryptile.systems import cva6_patches
from cryptile.toolchain import cache, rtl, tools

CORES = ("cv32e40p", "ibex")
"""Processor cores, in the order of the ``Core`` parameter of ``mcu_soc``."""

_CVA6 = {"cva6": False, "cva6-fpu": True}
"""CVA6 by its names: whether it has the floating-point unit."""

_DEFINES = dict.fromkeys(_CVA6, ("WT_DCACHE",))
"""Macros that the files of a core are compiled with: CVA6's write-through data cache."""

_CV32E40P_PACKAGES = ("cv32e40p_apu_core_pkg", "cv32e40p_fpu_pkg", "cv32e40p_pkg")
_CV32E40P_LEFT_OUT = ("cv32e40p_register_file_latch", "cv32e40p_fp_wrapper")

_IBEX_PRIM_PACKAGES = (
    "prim_util_pkg",
    "prim_ram_1p_pkg",
    "prim_secded_pkg",
    "prim_mubi_pkg",
    "prim_cipher_pkg",
    "prim_count_pkg",
)

_CVA6_PACKAGES = (
    "core/include/riscv_pkg",
    "corev_apu/riscv-dbg/src/dm_pkg",
    "core/include/ariane_pkg",
    "corev_apu/axi/src/axi_pkg",
    "core/include/ariane_axi_pkg",
    "core/include/wt_cache_pkg",
    "core/include/cvxif_pkg",
    "core/fpu/src/fpnew_pkg",
    "common/submodules/common_cells/src/cf_math_pkg",
)
_CVA6_MODULES = {
    "common/submodules/common_cells/src": (
        "fifo_v3", "lfsr", "lzc", "rr_arb_tree", "shift_reg", "unread", "popcount", "exp_backoff",
    ),
    "core": (
        "alu", "amo_buffer", "ariane_regfile_ff", "axi_shim", "branch_unit", "commit_stage",
        "compressed_decoder", "controller", "csr_buffer", "csr_regfile", "cvxif_fu", "decoder",
        "ex_stage", "fpu_wrap", "id_stage", "instr_realign", "issue_read_operands", "issue_stage",
        "load_store_unit", "load_unit", "lsu_bypass", "mult", "multiplier", "perf_counters",
        "re_name", "scoreboard", "serdiv", "store_buffer", "store_unit",
    ),
    "core/frontend": ("btb", "bht", "ras", "instr_scan", "instr_queue", "frontend"),
    "core/cache_subsystem": (
        "wt_dcache_ctrl", "wt_dcache_mem", "wt_dcache_missunit", "wt_dcache_wbuffer", "wt_dcache",
        "cva6_icache", "wt_axi_adapter", "wt_cache_subsystem",
    ),
    "core/pmp/src": ("pmp", "pmp_entry"),
    "core/mmu_sv39": ("mmu", "ptw", "tlb"),
    "common/local/util": ("tc_sram_wrapper", "sram"),
    "corev_apu/src/tech_cells_generic/src/rtl": ("tc_sram",),
}  # fmt: skip
_CVA6_FPU = {
    "core/fpu/src": (
        "fpnew_cast_multi",
        "fpnew_classifier",
        "fpnew_divsqrt_multi",
        "fpnew_fma",
        "fpnew_fma_multi",
        "fpnew_noncomp",
        "fpnew_opgroup_block",
        "fpnew_opgroup_fmt_slice",
        "fpnew_opgroup_multifmt_slice",
        "fpnew_rounding",
        "fpnew_top",
    ),
}


def defines(core: str) -> tuple[str, ...]:
    """Return the macros that the files of a core are compiled with."""
    return _DEFINES.get(core, ())


def file_list(core: str) -> rtl.FileList:
    """List the sources of a processor core.

    Raises:
        UsageError: no core has that name.
    """
    if core == "cv32e40p":
        return _cv32e40p()
    if core == "ibex":
        return _ibex()
    if core in _CVA6:
        return _cva6(fpu=_CVA6[core])
    known = ", ".join((*CORES, *_CVA6))
    raise UsageError(f"no processor core named {core}; known: {known}")


def _cv32e40p() -> rtl.FileList:
    root = tools.package_dir("pythondata_cpu_cv32e40p") / "system_verilog"
    packages = [root / "rtl/include" / f"{name}.sv" for name in _CV32E40P_PACKAGES]
    modules = [
        path
        for path in sorted((root / "rtl").glob("cv32e40p_*.sv"))
        if path.stem not in _CV32E40P_LEFT_OUT
    ]
    clock_gate = root / "bhv/cv32e40p_sim_clock_gate.sv"
    return rtl.FileList([*packages, *modules, clock_gate])


def _ibex() -> rtl.FileList:
    root = tools.package_dir("pythondata_cpu_ibex") / "system_verilog"
    ip = root / "vendor/lowrisc_ip/ip"
    # The wrappers that choose a technology for a primitive are made by FuseSoC; the package holds
    # ready-made ones with the generic choice here.
    wrappers = root / "dv/uvm/core_ibex/common/prim"
    left_out = ("ibex_register_file_fpga", "ibex_register_file_latch", "ibex_tracer_pkg")
    modules = [
        path
        for path in sorted((root / "rtl").glob("ibex_*.sv"))
        if path.stem not in (*left_out, "ibex_pkg", "ibex_tracer", "ibex_top_tracing")
    ]
    generic = ("prim_generic_buf", "prim_generic_clock_gating")
    return rtl.FileList(
        files=[
            wrappers / "prim_pkg.sv",
            *(ip / "prim/rtl" / f"{name}.sv" for name in _IBEX_PRIM_PACKAGES),
            root / "rtl/ibex_pkg.sv",
            *(ip / "prim_generic/rtl" / f"{name}.sv" for name in generic),
            wrappers / "prim_buf.sv",
            wrappers / "prim_clock_gating.sv",
            *modules,
        ],
        include_dirs=[ip / "prim/rtl", root / "vendor/lowrisc_ip/dv/sv/dv_utils", root / "rtl"],
    )


def _cva6(*, fpu: bool) -> rtl.FileList:
    root = tools.package_dir("pythondata_cpu_cva6") / "system_verilog"
    patches = cva6_patches.patches(fpu=fpu)
    originals = [root / name for name in patches]

    def patch(folder: Path) -> None:
        for name, changes in patches.items():
            text = (root / name).read_text()
            for old, new in changes:
                if text.count(old) != 1:
                    raise CryptileError(f"the package of CVA6 has another {name} than expected")
                text = text.replace(old, new)
            (folder / Path(name).name).write_text(text)

    modules = [
        path
        for place, names in (_CVA6_MODULES | _CVA6_FPU if fpu else _CVA6_MODULES).items()
        for name in names
        if (path := root / place / f"{name}.sv") not in originals
    ]
    patched = cache.build("cva6", cache.digest(originals, patches), patch)
    files = rtl.FileList(
        [
            patched / Path(cva6_patches.CONFIG).name,
            *(root / f"{name}.sv" for name in _CVA6_PACKAGES),
            *modules,
            *(patched / path.name for path in originals if path != root / cva6_patches.CONFIG),
        ]
    )
    if fpu:
        # The package lacks the unit's divider.
        divider = rtl.resolve("cryptile:soc:tile_fpu")
        files.files += divider.files
        files.include_dirs += divider.include_dirs
        files.include_dirs.append(root / "common/submodules/common_cells/include")
    return files
