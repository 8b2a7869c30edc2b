"""What is changed in CVA6 at build time: no floating point, and a snoop of its data cache.

The snoop is a set of ports of the same names through all levels, from ``cva6`` to the memories of
the data cache, where ``tsoc_dcache_valid`` (soc/tile) takes the place of the valid bits.
"""

CONFIG = "core/include/cv64a6_imafdc_sv39_config_pkg.sv"
_TOP = "core/cva6.sv"
_CACHES = "core/cache_subsystem/wt_cache_subsystem.sv"
_DCACHE = "core/cache_subsystem/wt_dcache.sv"
_DCACHE_MEM = "core/cache_subsystem/wt_dcache_mem.sv"


def _before(text: str, added: str) -> tuple[str, str]:
    """Return the replacement that adds something before a text."""
    return text, added + text


_SNOOP_PORTS = """\
  // Lines that another manager has written
  input  logic                           snoop_valid_i,
  output logic                           snoop_ready_o,
  input  logic [riscv::PLEN-1:0]         snoop_addr_i,
"""
_SNOOP_PINS = "    .snoop_valid_i, .snoop_ready_o, .snoop_addr_i,\n"

_DCACHE_VALID = """\
  tsoc_dcache_valid #(
    .Ways     ( DCACHE_SET_ASSOC ),
    .Sets     ( DCACHE_NUM_WORDS ),
    .TagWidth ( SnoopTagWidth    )
  ) i_dcache_valid (
    .clk_i, .rst_ni,
    .rd_i          ( |vld_req && !vld_we                                       ),
    .rd_set_i      ( vld_addr                                                  ),
    .rd_valid_o    ( rd_vld_bits_o                                             ),
    .miss_i,
    .wr_ways_i     ( vld_we ? vld_req : '0                                     ),
    .wr_valid_i    ( vld_wdata                                                 ),
    .wr_set_i      ( wr_cl_idx_i                                               ),
    .wr_tag_i      ( wr_cl_tag_i[SnoopTagWidth-1:0]                            ),
    .snoop_valid_i, .snoop_ready_o,
    .snoop_set_i   ( snoop_addr_i[DCACHE_OFFSET_WIDTH +: DCACHE_CL_IDX_WIDTH]  ),
    .snoop_tag_i   ( snoop_addr_i[DCACHE_INDEX_WIDTH +: SnoopTagWidth]         )
  );

"""

PATCHES = {
    # The package lacks part of the floating-point unit; the coprocessor port is not used.
    CONFIG: (
        ("CVA6ConfigFpuEn = 1;", "CVA6ConfigFpuEn = 0;"),
        ("CVA6ConfigCvxifEn = 1;", "CVA6ConfigCvxifEn = 0;"),
    ),
    # Under Verilator the core writes every instruction into a file, gigabytes of them.
    _TOP: (
        (
            "// mock tracer for Verilator, to be used with spike-dasm\n`else\n",
            "// mock tracer, to be used with spike-dasm\n`elsif MOCK_TRACER\n",
        ),
        _before("  output cvxif_pkg::cvxif_req_t        cvxif_req_o,\n", _SNOOP_PORTS),
        _before(
            "    // to D$\n    .clk_i                 ( clk_i                       ),\n"
            "    .rst_ni                ( rst_ni                      ),\n    // I$\n",
            _SNOOP_PINS,
        ),
    ),
    _CACHES: (
        _before("  // D$\n  // Cache management\n", _SNOOP_PORTS),
        _before("    .enable_i        ( dcache_enable_i         ),\n", _SNOOP_PINS),
    ),
    # The cache caches one region. Its tags differ in no bits above the region's size.
    _DCACHE: (
        _before("  // Cache management\n", _SNOOP_PORTS),
        _before(
            "    .AxiDataWidth ( AxiDataWidth           ),\n"
            "    .NumPorts     ( NumPorts               )\n  ) i_wt_dcache_mem (\n",
            "    .SnoopTagWidth( $clog2(ArianeCfg.CachedRegionLength[0]) - DCACHE_INDEX_WIDTH ),\n",
        ),
        _before(
            "    // read ports\n    .rd_prio_i ",
            _SNOOP_PINS + "    .miss_i             ( miss_o             ),\n",
        ),
    ),
    _DCACHE_MEM: (
        _before(
            "  parameter int unsigned NumPorts      = 3\n",
            "  parameter int unsigned SnoopTagWidth = 0,\n",
        ),
        _before(
            "  // ports\n",
            _SNOOP_PORTS
            + "  input  logic                           miss_i, // a line is read from memory\n",
        ),
        ("    assign rd_vld_bits_o[i] = vld_tag_rdata[i][DCACHE_TAG_WIDTH];\n", ""),
        _before(
            "  for (genvar i = 0; i < DCACHE_SET_ASSOC; i++) begin : gen_tag_srams\n", _DCACHE_VALID
        ),
    ),
}
"""Files of CVA6 that are changed at build time: each text occurs once and is replaced."""
