// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Peripherals with registers in regs/mcu.rdl (SoC control, event unit, timer, console, host
// mailbox) behind one generated register block.
//
// OBI-like: every request is granted at once (there is no grant signal) and answered in the next
// cycle on rdata_o and err_o; err_o flags a page without peripheral. console_*, exit_* and host_*
// are valid for one cycle, after the register write; the host executes its command in that cycle.
module mcu_periph
  import cry_mcu_regs_pkg::*;
#(
  // Readable in SOC_CTRL.INFO (regs/mcu.rdl)
  parameter int unsigned Core     = 0,
  parameter int unsigned Rv32b    = 0,
  parameter int unsigned Impl     = 0,
  parameter int unsigned NumBanks = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // From the core
  input  logic        req_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [16:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        err_o,

  input  logic        hwpe_event_i,     // sets EVENT.STATUS.hwpe: a job has ended
  input  logic        hwpe_err_i,       // one cycle: a TCDM access of the HWPE failed
  input  logic        data_err_i,       // one cycle: a data access of the core failed ...
  input  logic [31:0] data_err_addr_i,  // ... at this address
  input  logic        fetch_err_i,      // one cycle: a fetch failed
  output logic        irq_o,            // level: an event is pending and not masked

  // Console
  output logic        console_valid_o,
  output logic [7:0]  console_data_o,

  // End of the program
  output logic        exit_valid_o,
  output logic [31:0] exit_code_o,

  // Host mailbox
  output logic        host_valid_o,
  output logic [7:0]  host_cmd_o,
  output logic [31:0] host_addr_o,
  output logic [31:0] host_len_o,
  input  logic [31:0] host_result_i  // stable until the next command
);

  mcu__in_t  hwif_in;
  mcu__out_t hwif_out;

  // Register block; it answers in the same cycle. It reads as zero between its registers; what is
  // an error here is a page (4 KiB) without any.
  logic        page_exists;
  logic [31:0] rd_data, wr_biten;

  always_comb begin
    unique case (addr_i[16:12])
      5'h04, 5'h09, 5'h0B, 5'h0F, 5'h10: page_exists = 1'b1;
      default:                           page_exists = 1'b0;
    endcase
  end

  for (genvar i = 0; i < 4; i++) begin : gen_biten
    assign wr_biten[8*i+:8] = {8{be_i[i]}};
  end

  // The block never stalls and acknowledges in the cycle of the request.
  logic [5:0] unused_cpuif;

  cry_mcu_regs u_regs (
    .clk                 (clk_i),
    .arst_n              (rst_ni),
    .s_cpuif_req         (req_i),
    .s_cpuif_req_is_wr   (we_i),
    .s_cpuif_addr        ({addr_i[16:2], 2'b00}),
    .s_cpuif_wr_data     (wdata_i),
    .s_cpuif_wr_biten    (wr_biten),
    .s_cpuif_req_stall_wr(unused_cpuif[0]),
    .s_cpuif_req_stall_rd(unused_cpuif[1]),
    .s_cpuif_rd_ack      (unused_cpuif[2]),
    .s_cpuif_rd_err      (unused_cpuif[3]),
    .s_cpuif_rd_data     (rd_data),
    .s_cpuif_wr_ack      (unused_cpuif[4]),
    .s_cpuif_wr_err      (unused_cpuif[5]),
    .hwif_in,
    .hwif_out
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rdata_o <= '0;
      err_o   <= 1'b0;
    end else if (req_i) begin
      rdata_o <= rd_data;
      err_o   <= ~page_exists;
    end
  end

  // SoC control
  logic [63:0] cycle;
  logic [31:0] cycle_high, error_addr_q;

  mcu_counter64 u_cycle (
    .clk_i,
    .rst_ni,
    .enable_i       (1'b1),
    .clear_i        (1'b0),
    .read_low_i     (hwif_out.SOC_CTRL.CYCLE_LO.value.swacc),
    .value_o        (cycle),
    .high_snapshot_o(cycle_high)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_addr_q <= '0;
    end else if (data_err_i && !hwif_out.SOC_CTRL.ERROR.core_data.value) begin
      error_addr_q <= data_err_addr_i;
    end
  end

  assign hwif_in.SOC_CTRL.INFO.core.next         = 4'(Core);
  assign hwif_in.SOC_CTRL.INFO.rv32b.next        = 4'(Rv32b);
  assign hwif_in.SOC_CTRL.INFO.impl.next         = 4'(Impl);
  assign hwif_in.SOC_CTRL.INFO.banks.next        = 8'(NumBanks);
  assign hwif_in.SOC_CTRL.CYCLE_LO.value.next    = cycle[31:0];
  assign hwif_in.SOC_CTRL.CYCLE_HI.value.next    = cycle_high;
  assign hwif_in.SOC_CTRL.ERROR.core_data.hwset  = data_err_i;
  assign hwif_in.SOC_CTRL.ERROR.core_fetch.hwset = fetch_err_i;
  assign hwif_in.SOC_CTRL.ERROR.hwpe.hwset       = hwpe_err_i;
  assign hwif_in.SOC_CTRL.ERROR_ADDR.value.next  = error_addr_q;

  // Timer
  logic timer_event;

  mcu_timer u_timer (
    .clk_i,
    .rst_ni,
    .enable_i    (hwif_out.TIMER.CTRL.enable.value),
    .clear_i     (hwif_out.TIMER.CTRL.clear.value),
    .read_low_i  (hwif_out.TIMER.COUNT_LO.value.swacc),
    .compare_i   ({hwif_out.TIMER.COMPARE_HI.value.value, hwif_out.TIMER.COMPARE_LO.value.value}),
    .count_low_o (hwif_in.TIMER.COUNT_LO.value.next),
    .count_high_o(hwif_in.TIMER.COUNT_HI.value.next),
    .event_o     (timer_event)
  );

  // Event unit: the register block keeps the pending events; here they meet the mask.
  logic [3:0] mask, pending;

  assign hwif_in.EVENT.STATUS.hwpe.hwset      = hwpe_event_i;
  assign hwif_in.EVENT.STATUS.timer.hwset     = timer_event;
  assign hwif_in.EVENT.STATUS.software.hwset  = hwif_out.EVENT.TRIGGER.software.value;
  assign hwif_in.EVENT.STATUS.bus_error.hwset = data_err_i | fetch_err_i | hwpe_err_i;

  assign mask = {
    hwif_out.EVENT.MASK.bus_error.value, hwif_out.EVENT.MASK.software.value,
    hwif_out.EVENT.MASK.timer.value, hwif_out.EVENT.MASK.hwpe.value
  };
  assign pending = {
    hwif_out.EVENT.STATUS.bus_error.value, hwif_out.EVENT.STATUS.software.value,
    hwif_out.EVENT.STATUS.timer.value, hwif_out.EVENT.STATUS.hwpe.value
  };
  assign irq_o = (mask & pending) != '0;

  // Console, exit, host: a pulse when the register has its new value.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      console_valid_o <= 1'b0;
      exit_valid_o    <= 1'b0;
      host_valid_o    <= 1'b0;
    end else begin
      console_valid_o <= hwif_out.CONSOLE.DATA.data.swmod;
      exit_valid_o    <= hwif_out.SOC_CTRL.EXIT.code.swmod;
      host_valid_o    <= hwif_out.HOST.CMD.cmd.swmod;
    end
  end

  assign console_data_o = hwif_out.CONSOLE.DATA.data.value;
  assign exit_code_o    = hwif_out.SOC_CTRL.EXIT.code.value;
  assign host_cmd_o     = hwif_out.HOST.CMD.cmd.value;
  assign host_addr_o    = hwif_out.HOST.ARG0.value.value;
  assign host_len_o     = hwif_out.HOST.ARG1.value.value;

  assign hwif_in.HOST.RESULT.value.next = host_result_i;

  // Registers are whole words; of the sticky errors only the first is looked at here.
  logic unused_bits;
  assign unused_bits = ^{addr_i[1:0], cycle[63:32], hwif_out.SOC_CTRL.ERROR.core_fetch.value,
                         hwif_out.SOC_CTRL.ERROR.hwpe.value};

endmodule
