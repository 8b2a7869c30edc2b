// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Checks the parameters of a job and derives its metadata. Combinational.
module cry_aes_modes_check
  import cry_aes_modes_pkg::*;
  import cry_engine_pkg::*;
#(
  // Modes and key lengths that are built: see cry_aes_modes_engine
  parameter bit EnDecrypt = 1'b1,
  parameter bit EnKey192  = 1'b1,
  parameter bit EnKey256  = 1'b1,
  parameter bit EnGcm     = 1'b1,
  parameter bit EnCcm     = 1'b1,
  parameter bit EnCmac    = 1'b1,
  parameter bit EnXts     = 1'b1
) (
  input  job_t         job_i,        // a job
  output record_t      record_o,     // its metadata; ctl.bad: a bad parameter
  output logic         needs_key_o,  // it takes a key, XTS two
  output logic [127:0] chain_o       // initial chaining value
);

  localparam logic [31:0] XtsMaxBytes = 32'd1 << 24;

  ctl_t        ctl;
  logic        bad, has_tag, own_iv, partial, gcm, ccm, cmac, has_aad, empty;
  logic [31:0] tag_size;

  logic unused_inputs;
  assign unused_inputs = ^job_i.key_bytes;

  assign has_aad  = job_i.aad_len != '0;
  assign empty    = job_i.msg_len == '0;
  assign partial  = job_i.msg_len[3:0] != '0;
  assign own_iv   = (job_i.iv_len == '0) | (job_i.iv_len == 10'd16);
  assign tag_size = (job_i.out_len == '0) ? 32'd16 : job_i.out_len;
  assign gcm      = EnGcm & (job_i.mode == ModeGcm);
  assign ccm      = EnCcm & (job_i.mode == ModeCcm);
  assign cmac     = EnCmac & (job_i.mode == ModeCmac);
  assign has_tag  = gcm | ccm | cmac;

  always_comb begin
    ctl          = '0;
    ctl.cbc      = job_i.mode == ModeCbc;
    ctl.ctr      = job_i.mode == ModeCtr;
    ctl.gcm      = gcm;
    ctl.ccm      = ccm;
    ctl.cmac     = cmac;
    ctl.xts      = EnXts & (job_i.mode == ModeXts);
    ctl.decrypt  = job_i.decrypt;
    ctl.inverse  = EnDecrypt & job_i.decrypt & !has_tag & (job_i.mode != ModeCtr);
    ctl.ctx_load = job_i.ctx_load;
    ctl.ctx_save = job_i.ctx_save;
    ctl.ends     = has_tag & job_i.is_final;
    ctl.has_aad  = has_aad;
    ctl.long_iv  = gcm & !job_i.ctx_load & (job_i.iv_len != '0) & (job_i.iv_len != 10'd12);
    ctl.empty    = empty;
    ctl.key_len  = job_i.key_len;
    ctl.tag_last = tag_size[3:0] - 4'd1;
    ctl.bad      = bad;
  end

  // CCM: the message's length in the IV.
  logic [63:0] ccm_len, ccm_len_mask;
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      ccm_len[8*i+:8]      = job_i.iv[8*(15-i)+:8];
      ccm_len_mask[8*i+:8] = {8{3'(i) <= job_i.iv[2:0]}};
    end
  end

  always_comb begin
    bad = 1'b0;
    unique case (job_i.mode)
      ModeEcb, ModeCbc: bad = partial | (job_i.decrypt & !EnDecrypt);
      ModeCtr:  ;
      // NIST SP 800-38D section 5.2.1.2: shorter tags but for 4 and 8 are found too soon.
      ModeGcm:  bad = !EnGcm | ((tag_size < 32'd12) & (tag_size != 32'd8) & (tag_size != 32'd4));
      ModeCcm:  bad = !EnCcm | job_i.out_len[0] | (tag_size == 32'd2) |
                      (job_i.ctx_load & has_aad) |
                      (!job_i.ctx_load & ((job_i.iv[7:3] != '0) | (job_i.iv[2:0] == '0))) |
                      (!job_i.ctx_load & job_i.is_final &
                       ((ccm_len & ccm_len_mask) != 64'(job_i.msg_len)));
      ModeCmac: bad = !EnCmac | (job_i.is_final & job_i.ctx_load & empty);
      // A data unit has at most 2^20 blocks: NIST SP 800-38E section 4.
      ModeXts:  bad = !EnXts | (job_i.msg_len[31:4] == '0) | (job_i.ctx_save & partial) |
                      (job_i.msg_len > XtsMaxBytes) |
                      (job_i.key_len == KeyLen192) | (job_i.decrypt & !EnDecrypt);
      default:  bad = 1'b1;
    endcase
    unique case (job_i.key_len)
      KeyLen128: ;
      KeyLen192: bad |= !EnKey192;
      KeyLen256: bad |= !EnKey256;
      default:   bad = 1'b1;
    endcase
    if (!gcm)             bad |= !own_iv;
    if (!(gcm | ccm)) bad |= has_aad;
    if (has_tag) begin
      bad |= (tag_size > 32'd16) | (job_i.is_final == job_i.ctx_save);
      if (!job_i.is_final) begin
        bad |= partial | (gcm & empty & (job_i.aad_len[3:0] != '0));
      end
    end
  end

  assign needs_key_o = !bad & (has_tag | !empty);

  always_comb begin
    record_o.ctl     = ctl;
    record_o.step    = first_step(steps_of(ctl));
    record_o.count   = ~job_i.msg_len[31:4];
    record_o.partial = job_i.msg_len[3:0];
    record_o.aad_len = TotalWidth'(job_i.aad_len);
    record_o.msg_len = TotalWidth'(job_i.msg_len);
    record_o.iv_len  = job_i.iv_len;
    chain_o          = job_i.iv;
    if (gcm)         chain_o = {32'h0100_0000, job_i.iv[95:0]};
    if (cmac)        chain_o = '0;
  end

endmodule
