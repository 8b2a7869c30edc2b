// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// FIFO of the statuses of up to four completed jobs. With protection each entry has a `corrected`
// flag, which turns StatusOk into StatusFaultCorrected.
module cry_aes_modes_status
  import cry_engine_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    clear_i,   // drops all entries
  input  logic    push_i,    // stores an entry; only with room_o
  input  status_e status_i,  // StatusOk, StatusAuthFailed or StatusBadParam
  input  logic    mark_i,    // an upset was corrected in this job
  output logic    room_o,    // a free entry
  // Oldest entry
  output logic    valid_o,
  input  logic    ready_i,
  output status_e status_o,
  output logic    corrected_o,  // an upset was corrected
  output logic    detected_o    // an upset cannot be corrected
);

  logic [3:0]      valid_q, valid_d;    // filled from 0 up
  logic [3:0][1:0] status_q, status_d;  // of Ok, AuthFailed and BadParam two bits are enough
  logic [3:0]      marks_q, marks_d;
  logic [1:0]      corrected, detected;
  logic            unused_status;

  assign unused_status = ^status_i[3:2];
  assign room_o        = !valid_q[3];
  assign valid_o       = valid_q[0];

  always_comb begin
    status_o = status_e'({2'b00, status_q[0]});
    if (marks_q[0] & (status_q[0] == 2'd0)) status_o = StatusFaultCorrected;
  end

  always_comb begin
    valid_d  = valid_q;
    status_d = status_q;
    marks_d  = marks_q;
    if (ready_i & valid_o) begin
      valid_d  = valid_d >> 1;
      status_d = {2'b00, status_q[3:1]};
      marks_d  = marks_q >> 1;
    end
    if (push_i) begin
      for (int i = 3; i >= 0; i--) begin
        if (!valid_d[i] && (i == 0 || valid_d[(i == 0) ? 0 : i-1])) begin
          status_d[i] = status_i[1:0];
          marks_d[i]  = mark_i;
        end
      end
      valid_d = {valid_d[2:0], 1'b1};
    end
    if (clear_i) valid_d = '0;
  end

  cry_reg_tmr #(.Width(12), .Protect(Protect)) u_queue (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i({valid_d, status_d}), .inject_i(1'b0),
    .q_o({valid_q, status_q}), .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  if (Protect != ProtectNone) begin : gen_marks
    cry_reg_tmr #(.Width(4), .Protect(Protect)) u_marks (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(marks_d), .inject_i(1'b0), .q_o(marks_q),
      .corrected_o(corrected[1]), .detected_o(detected[1])
    );
  end else begin : gen_no_marks
    logic unused_marks;
    assign unused_marks = ^marks_d;
    assign marks_q      = '0;
    assign corrected[1] = 1'b0;
    assign detected[1]  = 1'b0;
  end

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

endmodule
