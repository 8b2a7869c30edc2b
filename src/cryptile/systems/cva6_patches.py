"""What is changed in CVA6 at build time: its units, counters, and a snoop of its data cache.

The snoop is a set of ports of the same names through all levels, from ``cva6`` to the memories of
the data cache, where ``tsoc_dcache_valid`` (soc/tile) takes the place of the valid bits.

Of the floating-point unit and of the rights to counters it is errors that are put right.
"""

CONFIG = "core/include/cv64a6_imafdc_sv39_config_pkg.sv"
_TOP = "core/cva6.sv"
_CACHES = "core/cache_subsystem/wt_cache_subsystem.sv"
_DCACHE = "core/cache_subsystem/wt_dcache.sv"
_DCACHE_MEM = "core/cache_subsystem/wt_dcache_mem.sv"
_FMA = "core/fpu/src/fpnew_fma.sv"
_CAST = "core/fpu/src/fpnew_cast_multi.sv"
_CSR = "core/csr_regfile.sv"


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

_TIME_PORT = """\
  // The counter `time`, of the platform
  input  logic [63:0]                    mtime_i,
"""

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

_IS_EVENT = "(csr_addr.address inside {[12'h323:12'h33F]})"
"""The registers that choose what mhpmcounter3 and those behind it count."""

_PATCHES = {
    # The coprocessor port is not used.
    CONFIG: (("CVA6ConfigCvxifEn = 1;", "CVA6ConfigCvxifEn = 0;"),),
    # Counters come with registers for their events, and firmware writes these: there is no choice,
    # they are 0.
    _CSR: (
        (
            "default: read_access_exception = 1'b1;",
            f"default: read_access_exception = !{_IS_EVENT};",
        ),
        (
            "default: update_access_exception = 1'b1;",
            f"default: update_access_exception = !{_IS_EVENT};",
        ),
        # The counter `time` is there: firmware need not emulate it.
        _before("  input  logic                  time_irq_i, ", _TIME_PORT),
        _before(
            "                riscv::CSR_INSTRET:            csr_rdata = instret_q",
            "                riscv::CSR_TIME:               csr_rdata = mtime_i;\n",
        ),
        # What user mode may read both registers must allow: machine's and supervisor's.
        (
            "~mcounteren_q[csr_addr_i[4:0]] & ~scounteren_q[csr_addr_i[4:0]];",
            "~mcounteren_q[csr_addr_i[4:0]] | ~scounteren_q[csr_addr_i[4:0]];",
        ),
    ),
    # Under Verilator the core writes every instruction into a file, gigabytes of them.
    _TOP: (
        (
            "// mock tracer for Verilator, to be used with spike-dasm\n`else\n",
            "// mock tracer, to be used with spike-dasm\n`elsif MOCK_TRACER\n",
        ),
        # Instances of the levels below take ports by their names.
        _before("  output cvxif_pkg::cvxif_req_t        cvxif_req_o,\n", _SNOOP_PORTS + _TIME_PORT),
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

_WITHOUT_FPU = {
    CONFIG: (("CVA6ConfigFpuEn = 1;", "CVA6ConfigFpuEn = 0;"), *_PATCHES[CONFIG]),
}

# Tiny is what is below the least normal number when it is rounded without a bound on exponents:
# also what becomes that number in the coarser steps below it. The first bits behind the digits are
# then the last digit of full precision and what it is rounded by.
_NEAREST = "(rnd_mode_q inside {fpnew_pkg::RNE, fpnew_pkg::RMM})"

_FPU = {
    _FMA: (
        # A product of zero keeps its sign: the zero that is added to it has the same.
        (
            "operand_c = '{sign: 1'b1, exponent: '0, mantissa: '0};\n        info_c    = ",
            "operand_c = '{sign: operand_a.sign ^ operand_b.sign, exponent: '0, mantissa: '0};\n"
            "        info_c    = ",
        ),
        (
            "assign uf_after_round = rounded_abs[EXP_BITS+MAN_BITS-1:MAN_BITS] == '0;",
            "assign uf_after_round = uf_before_round &&\n"
            "      !((rounded_abs[EXP_BITS+MAN_BITS-1:MAN_BITS] != '0) && (&round_sticky_bits) &&\n"
            f"        (sum_sticky_bits[2*PRECISION_BITS+2] || !{_NEAREST}));",
        ),
    ),
    _CAST: (
        (
            "fmt_uf_after_round[fmt] = rounded_abs[EXP_BITS+MAN_BITS-1:MAN_BITS] == '0;",
            "fmt_uf_after_round[fmt] = uf_before_round &&\n"
            "            !((rounded_abs[EXP_BITS+MAN_BITS-1:MAN_BITS] != '0) &&\n"
            "              (&fp_round_sticky_bits) &&\n"
            f"              (destination_mant[NUM_FP_STICKY-1] || !{_NEAREST}));",
        ),
        # Infinity stays infinity, in every mode, exactly.
        (
            "is_zero\n                      ? input_sign_q << FP_WIDTH-1 // signed zero\n",
            "is_zero || info_q.is_inf\n"
            "                      ? {input_sign_q, {EXP_BITS{info_q.is_inf}}, MAN_BITS'(0)}\n",
        ),
        (
            "~src_is_int_q & (info_q.is_zero |\n",
            "~src_is_int_q & (info_q.is_zero | info_q.is_inf |\n",
        ),
        # What an integer can hold is known when it is rounded; then its sign is extended.
        (
            "signed'(fpnew_pkg::int_width(int_fmt_q2) - 1 + op_mod_q2)",
            "signed'(fpnew_pkg::int_width(int_fmt_q2))",
        ),
        ("= '{default: final_int[INT_WIDTH-1]};", "= '0;"),
        (
            "  assign rounded_int_res      = rounded_sign ? "
            "unsigned'(-rounded_abs) : rounded_abs;\n",
            "  logic [WIDTH-1:0] int_half, int_complement;\n"
            "  logic             int_of_after_round;\n"
            "  assign int_half       = WIDTH'(1) << (fpnew_pkg::int_width(int_fmt_q2) - 1);\n"
            "  assign int_complement = rounded_sign ? unsigned'(-rounded_abs) : rounded_abs;\n"
            "  assign int_of_after_round = op_mod_q2 ? (rounded_abs >> 1) >= int_half\n"
            "                                        : rounded_abs >= int_half + rounded_sign;\n"
            "  assign rounded_int_res = (int_fmt_q2 == fpnew_pkg::INT32)\n"
            "      ? {{WIDTH-32{int_complement[31]}}, int_complement[31:0]} : int_complement;\n",
        ),
        (
            "of_before_round | ~info_q.is_boxed |\n",
            "of_before_round | int_of_after_round | ~info_q.is_boxed |\n",
        ),
    ),
}


def patches(*, fpu: bool) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the files that are changed: each text occurs once in one and is replaced."""
    return {**_PATCHES, **(_FPU if fpu else _WITHOUT_FPU)}
