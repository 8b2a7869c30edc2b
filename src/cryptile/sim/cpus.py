"""RTL of the processor cores, taken from their Python packages at build time."""

from cryptile import rtl, tools
from cryptile.errors import UsageError

CORES = ("cv32e40p", "ibex")
"""Processor cores, in the order of the ``Core`` parameter of ``mcu_soc``."""

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


def file_list(core: str) -> rtl.FileList:
    """List the sources of a processor core.

    Raises:
        UsageError: no core has that name.
    """
    if core == "cv32e40p":
        return _cv32e40p()
    if core == "ibex":
        return _ibex()
    raise UsageError(f"no processor core named {core}; known: {', '.join(CORES)}")


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
