// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// The public-key engine without its memories: jobs, issue of instructions, ALU and multiplier.
//
// A job: rows are written (in_*), a program starts (start_*), it ends (done_*), and rows are read
// while its end is not taken (out_*): the end is given once for each row of the result, the last
// time with done_last_o. Then all rows and registers are wiped, as they are after
// reset and after clear_i, which aborts a job without an end: for 256 cycles neither rows nor a
// program are accepted. Constants are written anew with that.
//
// An instruction issues in the cycle in which the memory puts it out and reads its rows then; they
// are there in the next cycle, in which the ALU writes. A row that is written and read in one cycle
// reads as written: the memories need not know that. How long a program takes depends on nothing
// but the program and the wait for random bits.
module cry_pka_core
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits      = 256,      // bits of a row: 256, 384, 512 or 576
  // Products of the multiplier in a cycle: CompactLanes, or FastLanes with rows of 256 bits.
  parameter int unsigned Lanes        = CompactLanes,
  parameter int unsigned RandomCycles = 1 << 16,  // to wait for random bits, at least 2
  parameter int unsigned MaxCycles    = 1 << 17   // that a program may take, without these waits
) (
  input  logic clk_i,    // clock
  input  logic rst_ni,   // asynchronous reset
  input  logic clear_i,  // aborts and wipes

  input  logic               in_valid_i,  // a row is to be written
  output logic               in_ready_o,  // it is
  input  row_addr_t          in_row_i,    // which one; one of data, or no program starts
  input  logic [RowBits-1:0] in_data_i,   // its value

  input  logic       start_valid_i,  // a program is to start
  output logic       start_ready_o,  // it does
  input  logic       known_i,        // there is such a program
  input  code_addr_t entry_i,        // its first instruction
  input  result_t    results_i,      // rows of its result, less one
  input  logic       zero_i,         // if it is one, it may be zero

  input  logic               rnd_valid_i,  // random bits are there
  output logic               rnd_ready_o,  // they are taken
  input  logic [RowBits-1:0] rnd_data_i,   // a row of them, never given twice

  output logic               done_valid_o,   // the program has ended; stable until taken
  input  logic               done_ready_i,   // this is seen, and no row is read any more
  output status_e            done_status_o,  // how it ended
  output logic               done_last_o,    // no more rows of a result follow
  output result_t            done_index_o,   // which of them it is; stable from the cycle before
  input  row_addr_t          out_row_i,      // row to read
  output logic [RowBits-1:0] out_data_o,     // its value a cycle later; zero but after StatusOk

  // Memory of instructions: read at the next clock edge
  output logic       code_re_o,
  output code_addr_t code_addr_o,
  input  word_t      code_i,

  // What a row holds before a program, or what OpCon writes, combinational
  output fill_t              fill_row_o,
  input  logic [RowBits-1:0] fill_data_i,

  // Memory of rows: written and read at the next clock edge
  output logic               row_we_o,
  output row_addr_t          row_waddr_o,
  output logic [RowBits-1:0] row_wdata_o,
  output logic               row_re_o,
  output row_addr_t          row_raddr_a_o,
  output row_addr_t          row_raddr_b_o,
  input  logic [RowBits-1:0] row_a_i,
  input  logic [RowBits-1:0] row_b_i
);

  typedef logic [RowBits-1:0] row_t;

  // An upset makes none of them another.
  typedef enum logic [3:0] {
    StWipe = 4'b0000,  // all rows, from the last one down
    StIdle = 4'b0011,  // rows and a program are taken
    StRun  = 4'b0101,
    StRead = 4'b0110,  // the row that was asked for is read
    StDone = 4'b1001
  } state_e;

  localparam bit Modular = is_modular(RowBits);
  localparam bit Several = Lanes != CompactLanes;  // instructions are there that is_of_several
  localparam bit One     = Modular & !Several;     // or those that is_of_one

  localparam logic [7:0] Moduli = (RowBits == 256) ? Moduli256 :
                                  (RowBits == 384) ? Moduli384 : Moduli576;

  localparam int unsigned TimeWidth = $clog2(MaxCycles > RandomCycles ? MaxCycles : RandomCycles);

  state_e    state_q, state_d;
  status_e   status_q, status_d;
  row_addr_t wiped_q, wiped_d;  // row that is wiped next
  logic      bad_q, bad_d;      // a row was refused
  logic      rnd_q, rnd_d;      // OpRnd waits
  result_t   results_q, index_q, index_d;  // rows of the result less one, and which one it is
  logic      zero_q;            // the result may be a row of zero
  logic      carry_q;           // flag C
  logic [TimeWidth-1:0] time_q, time_d;      // cycles of the program
  logic [TimeWidth-1:0] waited_q, waited_d;  // cycles of OpRnd

  logic whole;  // the row that is read: see below

  logic wipe, run, start, in_good, in_take, rnd_take, issue, bad_kind, lacking, nesting, lost;
  logic fault;
  logic ends;
  assign wipe          = state_q == StWipe;
  assign run           = state_q == StRun;
  assign in_ready_o    = state_q == StIdle;
  assign start_ready_o = state_q == StIdle;
  assign done_valid_o  = state_q == StDone;
  assign done_status_o = (status_q == StatusOk && !whole) ? StatusFault : status_q;
  assign done_last_o   = (done_status_o != StatusOk) | (index_q == results_q);
  assign done_index_o  = index_q;
  assign in_good       = in_row_i < row_addr_t'(data_rows(RowBits));
  assign in_take       = in_valid_i & in_ready_o & in_good;
  assign start         = start_valid_i & start_ready_o & known_i & !bad_d;

  // --- Instruction that is there -----------------------------------------------------------------

  logic       alu_q;  // the one that has issued is the ALU's, or one beside it
  logic [7:0] op_q, imm_q;
  row_addr_t  d_q;
  logic [4:0] digit_q;  // magnitude

  logic       mul_ready, mul_low, mul_ending, mul_valid, mul_over, mul_modular;
  row_addr_t  mul_row, mul_row_q;
  row_t       mul_a, mul_b;
  code_addr_t pc;

  // Rows of other than 256 bits are not folded, those of 512 nothing but whole or their lower row.
  assign bad_kind = is_mul(code_i.op) & ((code_i.imm > KindMont) |
                                         ((RowBits != 256) & (code_i.imm == KindFold)) |
                                         (!Modular & (code_i.imm != KindRaw)) |
                                         ((code_i.op == OpMul1) & (code_i.imm != KindFold)));
  assign lacking  = (Modular ? code_i.op == OpMull : code_i.op inside {OpMod, OpAdd, OpSub}) |
                    (!Several & is_of_several(code_i.op)) | (!One & is_of_one(code_i.op)) |
                    (!One & (code_i.op == OpSel) & (code_i.imm inside {ChoiceLess, ChoiceNoting})) |
                    (takes_modulus(code_i.op) & (code_i.imm >= Moduli));
  assign fault    = run & !rnd_q & (!is_known(code_i.op) | lacking | bad_kind | nesting);
  assign ends     = issue & !lost & (code_i.op == OpHalt);

  cry_pka_issue #(.Pending(pending(Lanes))) u_issue (
    .clk_i, .rst_ni,
    .clear_i     (wipe),
    .valid_i     (run & !rnd_q & !fault),
    .word_i      (code_i),
    .digit_i     (alu_q & (op_q inside {OpDig, OpPush})),
    .issue_o     (issue),
    .mul_ready_i (mul_ready),
    .mul_low_i   (mul_low),
    .mul_ending_i(mul_ending),
    .mul_row_o   (mul_row),
    .lost_o      (lost)
  );

  assign code_re_o = start | run;

  cry_pka_fetch #(.CallDepth(calls(RowBits))) u_fetch (
    .clk_i, .rst_ni,
    .start_i (start),
    .entry_i,
    .issue_i (issue),
    .op_i    (code_i.op),
    .target_i({code_i.a, code_i.b}),
    .addr_o  (code_addr_o),
    .pc_o    (pc),
    .fault_o (nesting)
  );

  // --- Jobs --------------------------------------------------------------------------------------

  assign rnd_ready_o = run & rnd_q & !mul_valid;
  assign rnd_take    = rnd_valid_i & rnd_ready_o;

  assign bad_d = !wipe & (bad_q | (in_valid_i & in_ready_o & !in_good));

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    wiped_d  = '1;
    index_d  = index_q;
    rnd_d    = rnd_q;
    time_d   = '0;
    waited_d = '0;

    unique case (state_q)
      StWipe: begin
        wiped_d  = wiped_q - 1'b1;
        rnd_d    = 1'b0;
        index_d  = '0;
        status_d = StatusOk;
        if (wiped_q == '0) state_d = StIdle;
      end
      StIdle: begin
        if (start_valid_i) begin
          state_d  = start ? StRun : StDone;
          status_d = start ? StatusOk : StatusParam;
        end
      end
      StRun: begin
        time_d = rnd_q ? time_q : time_q + 1'b1;
        if (issue & (code_i.op == OpRnd)) rnd_d = 1'b1;
        if (rnd_q) begin
          waited_d = waited_q + 1'b1;
          if (rnd_take) begin
            rnd_d = 1'b0;
          end else if (waited_q == TimeWidth'(RandomCycles - 1)) begin
            state_d  = StDone;
            status_d = StatusRandom;
          end
        end
        if (ends) begin
          state_d = StRead;
        end else if (fault | lost | (time_q == TimeWidth'(MaxCycles - 1))) begin
          state_d  = StDone;
          status_d = StatusFault;
        end
      end
      StRead: begin
        state_d  = StDone;
        status_d = carry_q ? StatusRefused : StatusOk;
      end
      StDone: begin
        if (done_ready_i) begin
          state_d = done_last_o ? StWipe : StRead;
          index_d = index_q + 1'b1;
        end
      end
      default: begin
        state_d  = StDone;
        status_d = StatusFault;
      end
    endcase

    if (clear_i) begin
      state_d = StWipe;  // a level that stays up wipes round and round
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StWipe;
      status_q  <= StatusOk;
      wiped_q   <= '1;
      bad_q     <= 1'b0;
      rnd_q     <= 1'b0;
      index_q   <= '0;
      results_q <= '0;
      zero_q    <= 1'b0;
      time_q    <= '0;
      waited_q  <= '0;
    end else begin
      state_q  <= state_d;
      status_q <= status_d;
      wiped_q  <= wiped_d;
      bad_q    <= bad_d;
      rnd_q    <= rnd_d;
      index_q  <= index_d;
      if (start) {results_q, zero_q} <= {results_i, zero_i};
      time_q   <= time_d;
      waited_q <= waited_d;
    end
  end

  // --- Instruction that has issued ---------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alu_q     <= 1'b0;
      op_q      <= '0;
      imm_q     <= '0;
      d_q       <= '0;
      mul_row_q <= '0;
    end else begin
      alu_q     <= issue & (is_alu(code_i.op) | is_held(code_i.op));
      mul_row_q <= mul_row;
      if (issue) begin
        op_q  <= code_i.op;
        imm_q <= code_i.imm;
        d_q   <= code_i.d;
      end
    end
  end

  // --- Rows --------------------------------------------------------------------------------------

  row_addr_t raddr;
  assign raddr         = wipe ? wiped_q + 1'b1 : out_row_i;
  // The first row that a wipe would read is not wiped yet.
  assign row_re_o      = wipe ? wiped_q != '1 : (!run | issue);
  assign row_raddr_a_o = !run ? raddr :
                         (Several & (code_i.op == OpGet)) ? {code_i.a[7:4], digit_q[3:0]} :
                         code_i.a;
  assign row_raddr_b_o = run ? ((code_i.op == OpSqr) ? code_i.a : code_i.b) : raddr;

  row_t result, written_q, row_a, row_b;
  logic same_a_q, same_b_q;  // the row that is read has just been written
  logic con;                 // a constant is written
  logic alu_we;              // the ALU writes, but for a product in its place

  assign con        = alu_q & (op_q == OpCon) & !mul_valid;
  assign fill_row_o = '{extra: !wipe, number: wipe ? wiped_q : imm_q};

  assign alu_we      = alu_q & writes(op_q) & (Several | !is_of_several(op_q)) &
                       (One | !is_of_one(op_q));
  assign row_we_o    = wipe | in_take | rnd_take | mul_valid | alu_we;
  assign row_waddr_o = wipe ? wiped_q : in_take ? in_row_i : mul_valid ? mul_row_q : d_q;
  assign row_wdata_o = (wipe | con) ? fill_data_i : in_take ? in_data_i :
                       rnd_take ? rnd_data_i : result;

  // While wiping all that takes a row takes what is written, which is zero in the end.
  assign row_a = (same_a_q | wipe) ? written_q : row_a_i;
  assign row_b = (same_b_q | wipe) ? written_q : row_b_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      same_a_q <= 1'b0;
      same_b_q <= 1'b0;
    end else begin
      same_a_q <= row_we_o & (row_waddr_o == row_raddr_a_o);
      same_b_q <= row_we_o & (row_waddr_o == row_raddr_b_o);
    end
  end

  // Without reset: what wipes follows it.
  always_ff @(posedge clk_i) begin
    if (row_we_o) written_q <= row_wdata_o;
  end

  // An upset of either copy of a result, or one that led past what writes it, is seen here: no row
  // is zero, but of the programs that may give one.
  assign whole      = (row_a == row_b) & (zero_q | (row_a != '0));
  assign out_data_o = (done_valid_o & (done_status_o == StatusOk)) ? row_a : '0;

  // --- ALU and multiplier ------------------------------------------------------------------------

  row_t       modulus, sum, step, held, second;
  logic       negative_q, less, chosen, carry;
  alu_op_t    alu_op;
  shape_e     shape;
  reduce_e    reduce;

  always_comb begin
    unique case (code_i.op)
      OpSqr:   shape = ShapeSquare;
      OpMul1:  shape = ShapeSingle;
      OpMull:  shape = Modular ? ShapeFull : ShapeLow;
      default: shape = ShapeFull;
    endcase
    unique case (code_i.imm)
      KindRaw:  reduce = ReduceNone;
      KindFold: reduce = ReduceFold;
      default:  reduce = ReduceMont;
    endcase
  end

  if (Lanes == CompactLanes) begin : gen_mul
    cry_pka_mul #(.RowBits(RowBits)) u_mul (
      .clk_i, .rst_ni,
      .wipe_i   (wipe),
      .start_i  (issue & is_mul(code_i.op)),
      .shape_i  (shape),
      .reduce_i (reduce),
      .ready_o  (mul_ready),
      .a_i      (row_a),
      .b_i      (row_b),
      .low_o    (mul_low),
      .ending_o (mul_ending),
      .valid_o  (mul_valid),
      .a_o      (mul_a),
      .b_o      (mul_b),
      .over_o   (mul_over),
      .modular_o(mul_modular)
    );
  end else begin : gen_mul
    cry_pka_fast_mul u_mul (
      .clk_i, .rst_ni,
      .wipe_i   (wipe),
      .start_i  (issue & is_mul(code_i.op)),
      .shape_i  (shape),
      .reduce_i (reduce),
      .ready_o  (mul_ready),
      .a_i      (row_a),
      .b_i      (row_b),
      .low_o    (mul_low),
      .ending_o (mul_ending),
      .valid_o  (mul_valid),
      .a_o      (mul_a),
      .b_o      (mul_b),
      .over_o   (mul_over),
      .modular_o(mul_modular)
    );
  end

  // What is carried out is OpGcd or OpGcdr, OpCof or OpCofr, or a difference; then no product is
  // written. Of their own, so that they are there early: they choose among rows.
  logic gcd_d, cof_d, gcd_q, cof_q, subtract_q;
  assign gcd_d = Modular & issue & (code_i.op inside {OpGcd, OpGcdr});
  assign cof_d = Modular & issue & (code_i.op inside {OpCof, OpCofr});
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gcd_q      <= 1'b0;
      cof_q      <= 1'b0;
      subtract_q <= 1'b0;
    end else begin
      gcd_q      <= gcd_d;
      cof_q      <= cof_d;
      subtract_q <= gcd_d | cof_d | (issue & (code_i.op inside {OpSub, OpSubx}));
    end
  end

  assign alu_op.subtract = subtract_q;
  assign alu_op.modular  = mul_valid ? mul_modular : op_q inside {OpAdd, OpSub};
  assign alu_op.carry    = (!mul_valid & (op_q inside {OpAddx, OpSubx}) & imm_q[0] & carry_q) |
                           alu_op.less;
  assign alu_op.over     = mul_valid & mul_over;
  assign alu_op.gcd      = gcd_q;
  assign alu_op.cof      = cof_q;

  if (Several) begin : gen_held
    row_t other;

    cry_pka_held #(.RowBits(RowBits)) u_held (
      .clk_i, .rst_ni,
      .wipe_i  (wipe),
      .hold_i  (alu_q & (op_q == OpHold)),
      .pick_i  (alu_q & (op_q == OpPick) & (digit_q[3:1] == imm_q[3:1])),
      .gcd_i   (gcd_q),
      .cof_i   (cof_q),
      .second_i(digit_q[0]),
      .row_i   (row_a),
      .next_i  (row_b),
      .borrow_i(carry),
      .other_o (other),
      .odd_o   (alu_op.odd),
      .less_o  (alu_op.less),
      .held_o  (held)
    );
    assign second = (gcd_q | cof_q) ? other : (op_q == OpPush) ? row_a : row_b;
    assign less   = 1'b0;
  end else if (One) begin : gen_steps
    logic sel;
    assign sel = alu_q & (op_q == OpSel);

    cry_pka_steps #(.RowBits(RowBits)) u_steps (
      .clk_i, .rst_ni,
      .wipe_i  (wipe),
      .note_i  (sel & (imm_q == ChoiceNoting)),
      .parity_i(sel & (imm_q == ChoiceLess)),
      .borrow_i(carry_q),
      .odd_i   (row_a[0]),
      .row_i   (row_b),
      .step_i  (gcd_d | cof_d),
      .row_o   (second),
      .less_o  (less),
      .parity_o(alu_op.odd),
      .turned_o(alu_op.less)
    );
    assign held = '0;
  end else begin : gen_rows
    assign second      = row_b;
    assign alu_op.odd  = 1'b0;
    assign alu_op.less = 1'b0;
    assign less        = 1'b0;
    assign held        = '0;
  end

  cry_pka_alu #(.RowBits(RowBits), .Several(Several)) u_alu (
    .op_i     (alu_op),
    .a_i      (mul_valid ? mul_a : row_a),
    .b_i      (mul_valid ? mul_b : second),
    .modulus_i(modulus),
    .result_o (sum),
    .halved_o (step),
    .carry_o  (carry)
  );

  assign chosen = (imm_q & ChoiceDigit) != '0 ? imm_q == (ChoiceDigit | 8'(digit_q))
                  : imm_q == ChoiceNoting ? row_a[0] & carry_q
                  : imm_q == ChoiceLess ? less
                  : imm_q == ChoiceNegative ? negative_q : carry_q;

  // The parity chooses behind the sum: in front of it, it would lengthen the longest path.
  row_t halved;
  assign halved = row_a[0] ? {carry, sum[RowBits-1:1]} : {1'b0, row_a[RowBits-1:1]};

  // OpGcd halves an even row as OpHalf does. That, too, chooses behind the sum.
  logic [7:0] made_by;
  assign made_by = (Several & (op_q == OpGcd) & !row_a[0]) ? OpHalf : op_q;

  always_comb begin
    unique case (made_by)
      OpXor:   result = row_a ^ row_b;
      OpAnd:   result = row_a & row_b;
      OpSel:   result = chosen ? row_a : row_b;
      OpHalf:  result = halved;
      OpGcd, OpCof, OpGcdr, OpCofr: result = step;
      OpGet:   result = Several ? row_a : sum;
      OpPut:   result = Several ? held : sum;
      default: result = sum;
    endcase
    if (mul_valid) result = sum;
  end

  // Booth's recoding: minus 16 for the highest bit, and the lowest one counts for the digit below.
  logic [4:0] low;
  assign low = row_a[RowBits-2-:5] ^ {5{row_a[RowBits-1]}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      digit_q    <= '0;
      negative_q <= 1'b0;
      carry_q    <= 1'b0;
    end else begin
      if (wipe | (alu_q & (op_q == OpDig))) begin
        digit_q    <= 5'((6'(low) + 6'd1) >> 1);
        negative_q <= row_a[RowBits-1];
      end else if (Several & alu_q & (op_q == OpPush)) begin
        digit_q <= {digit_q[3:0], row_a[RowBits-1]};
      end
      if (wipe)                                         carry_q <= 1'b0;
      else if (alu_q & (op_q inside {OpAddx, OpSubx})) carry_q <= carry;
      else if (alu_q & (op_q == OpHalf))                carry_q <= halved[0];
    end
  end

  // The modulus is that of a number; steps of an inverse have one of their own.
  if (Modular) begin : gen_modulus
    logic [2:0] modulus_q, modulus_d, number_q;

    assign modulus_d = (alu_q & (op_q == OpMod)) ? imm_q[2:0] : modulus_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        modulus_q <= '0;
        number_q  <= '0;
      end else begin
        modulus_q <= wipe ? '0 : modulus_d;
        number_q  <= wipe ? '0 : cof_d ? code_i.imm[2:0] : modulus_d;
      end
    end

    if (RowBits == 256) begin : gen_256
      assign modulus = modulus256(8'(number_q));
    end else if (RowBits == 384) begin : gen_384
      assign modulus = modulus384(8'(number_q));
    end else begin : gen_576
      assign modulus = modulus576(8'(number_q));
    end
  end else begin : gen_none
    assign modulus = '0;
  end

  // --- Protocol ----------------------------------------------------------------------------------

  `CRY_ASSERT_RUN
  `CRY_ASSERT(DoneStable_A, done_valid_o & !done_ready_i & !clear_i |=>
              done_valid_o & $stable({done_status_o, done_last_o, done_index_o}))
  `CRY_ASSERT(OneWrites_A, $onehot0({wipe, in_take, rnd_take, mul_valid & !wipe,
                                     alu_we & !wipe}))
  `CRY_ASSERT(NoneLost_A, !(run & lost))
  `CRY_ASSERT(MulReady_A, issue & is_mul(code_i.op) |-> mul_ready)
  `CRY_ASSERT_KNOWN(DoneKnown_A, {done_valid_o, done_status_o})
  `CRY_ASSERT_KNOWN(ReadyKnown_A, {in_ready_o, start_ready_o, rnd_ready_o})

  logic unused;
  assign unused = ^pc;

endmodule
