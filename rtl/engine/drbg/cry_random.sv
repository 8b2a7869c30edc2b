// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Random bits for a subsystem: a cry_drbg with its entropy input, and ports to clients
// (cry_drbg_ports). Wiring only.
module cry_random
  import cry_drbg_pkg::*;
#(
  parameter int unsigned        Clients        = 2,        // see cry_drbg_ports
  parameter int unsigned        Depth          = 2,        // likewise
  parameter int unsigned        RequestBlocks  = 64,       // likewise
  parameter logic [Clients-1:0] Bulk           = '0,       // likewise
  parameter int unsigned        ReseedInterval = 65536,    // requests between reseeds, at least 1
  parameter int unsigned        EntropyCycles  = 1 << 20,  // cycles to wait for a word of entropy
  // Level of protection: cry_drbg_core; of the ports, what says that there is a block
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic clk_i,   // clock
  input  logic rst_ni,  // asynchronous reset

  input  logic reseed_i,   // one cycle: reseeds before the next request; nothing in an alarm
  input  logic restart_i,  // one cycle: tests and instantiates anew, and ends an alarm
  input  logic stop_i,     // level: the source has failed or is off: wipes all; anew behind it
  output logic alarm_o,    // level: the DRBG refused a command; until restart_i
  output logic forget_o,   // level: there are no random bits; see cry_drbg_ports
  output logic seeded_o,   // there are some

  // Entropy input, on request
  input  logic        ent_valid_i,  // a word of entropy is there
  output logic        ent_ready_o,  // a word is wanted
  input  logic [63:0] ent_word_i,   // the word
  input  logic        ent_fail_i,   // there will be none
  output logic        ent_begin_o,  // one cycle, before its first word: a seed is wanted

  // By client
  output logic [Clients-1:0]        rnd_valid_o,  // a block; stable until taken, or forget_o
  input  logic [Clients-1:0]        rnd_ready_i,  // it is taken
  output logic [Clients-1:0][127:0] rnd_o         // the block; zero if there is none
);

  logic         cmd_valid, cmd_ready, done_valid, done_ready, out_valid, out_ready, instance_there;
  cmd_t         cmd;
  status_e      done_status;
  logic [127:0] out_data;

  // All beats are full, no additional input is asked for, and a failed test or a fault is an alarm.
  logic [15:0] unused_keep;
  logic        unused_last, unused_add, unused_failed, unused_corrected, unused_detected;

  cry_drbg #(
    .ReseedInterval(ReseedInterval), .EntropyCycles(EntropyCycles), .Protect(Protect)
  ) u_drbg (
    .clk_i, .rst_ni,
    .clear_i      (stop_i | restart_i),
    .cmd_valid_i  (cmd_valid),
    .cmd_ready_o  (cmd_ready),
    .cmd_i        (cmd),
    .done_valid_o (done_valid),
    .done_ready_i (done_ready),
    .done_status_o(done_status),
    .ent_valid_i, .ent_ready_o, .ent_word_i, .ent_fail_i, .ent_begin_o,
    .add_valid_i  (1'b0),
    .add_ready_o  (unused_add),
    .add_word_i   ('0),
    .out_valid_o  (out_valid),
    .out_ready_i  (out_ready),
    .out_data_o   (out_data),
    .out_keep_o   (unused_keep),
    .out_last_o   (unused_last),
    .seeded_o     (instance_there),
    .failed_o     (unused_failed),
    .corrected_o  (unused_corrected),
    .detected_o   (unused_detected)
  );

  cry_drbg_ports #(
    .Clients(Clients), .Depth(Depth), .RequestBlocks(RequestBlocks), .Bulk(Bulk),
    .Protect(Protect)
  ) u_ports (
    .clk_i, .rst_ni, .reseed_i, .restart_i, .stop_i, .alarm_o, .forget_o,
    .cmd_valid_o  (cmd_valid),
    .cmd_ready_i  (cmd_ready),
    .cmd_o        (cmd),
    .done_valid_i (done_valid),
    .done_ready_o (done_ready),
    .done_status_i(done_status),
    .out_valid_i  (out_valid),
    .out_ready_o  (out_ready),
    .out_data_i   (out_data),
    .rnd_valid_o, .rnd_ready_i, .rnd_o
  );

  assign seeded_o = instance_there & !forget_o;

endmodule
