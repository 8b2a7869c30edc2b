// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The engine port: the one interface between every engine and every shell. A shell drives an
// engine_req_t and an engine answers with an engine_rsp_t; beside them there are clock and reset:
//
//   input  logic        clk_i,   // clock
//   input  logic        rst_ni,  // reset, asynchronous, active low
//   input  engine_req_t req_i,   // from the shell
//   output engine_rsp_t rsp_o    // to the shell
//
// Every engine has all of both: what it has no use for it ignores, or holds at 0. cry_engine_flat is an
// engine with each of these signals as a port of its own.
//
// Six channels, all valid/ready: valid never waits for ready; payload is stable while valid and not
// ready. `job` starts a job and `done` ends it; exactly one `done` follows every accepted `job`, also
// for bad parameters. `key` carries key material once per job, after `job`, only when the job needs
// it. `src` and `dst` carry 16-byte beats; byte 0 of a message is bits 7:0 of its first beat. All
// beats but the last of a message are full; `keep` is contiguous from bit 0. `rnd` carries fresh
// random bits, for masks and blinding; an engine may take some at any time, between jobs too.
//
// A job with a bad parameter consumes neither `key` nor `src`, and produces nothing on `dst`.
// A job that ends with StatusFaultDetected may have left keys and beats untaken, and beats of `dst` ungiven:
// who sends them drops them when its `done` is taken. The jobs behind it are not touched, but those that
// the engine had accepted already, which may end in the same way.
// `clear` (one cycle) aborts: the engine wipes its state, drops its valids and returns to idle
// without a `done`. In that cycle `done_valid` may still be up, with StatusFaultDetected: who clears
// drops it.
//
// `fault_corrected` is high for a cycle for each upset that did no harm, `fault_detected` when one ends
// the job. With either, `fault_sites` says which parts found something, by bits that are the engine's;
// one that does not tell its parts apart sets SitesWhole. `fault_inject` makes an upset that the
// engine must report, which proves that the reports arrive, where the engine says so.
package cry_engine_pkg;

  parameter int unsigned DataWidth = 128;
  parameter int unsigned KeepWidth = DataWidth / 8;
  parameter int unsigned KeyWidth  = 256;
  parameter int unsigned LenWidth  = 32;
  parameter int unsigned RndWidth  = 128;

  // What a beat is part of.
  typedef enum logic [1:0] {
    KindMessage = 2'd0,
    KindAad     = 2'd1,  // associated data
    KindTag     = 2'd2,  // authentication tag or digest
    KindContext = 2'd3   // what continues a message: saved context; on `src` also a long IV
  } kind_e;

  // How a job ended.
  typedef enum logic [3:0] {
    StatusOk             = 4'd0,
    StatusAuthFailed     = 4'd1,
    StatusBadParam       = 4'd2,
    StatusFaultCorrected = 4'd3,
    StatusFaultDetected  = 4'd4,
    StatusBusError       = 4'd5,  // made by shells, never by engines
    StatusAborted        = 4'd6   // made by shells, never by engines
  } status_e;

  typedef enum logic [1:0] {
    KeyLen128 = 2'd0,
    KeyLen192 = 2'd1,
    KeyLen256 = 2'd2
  } key_len_e;

  // `fault_sites` of engines that do not tell their parts apart.
  typedef enum logic [7:0] {
    SitesWhole = 8'd1
  } sites_e;

  // One call of an algorithm on one message, or on a part of one. Engines that have no use for a
  // field of the first four ignore it.
  typedef struct packed {
    logic                ctx_load;  // `src` begins with KindContext beats: the saved context
    logic [9:0]          iv_len;    // bytes of IV; 0 is the mode's own length
    logic [6:0]          key_bytes; // bytes of a key that key_len does not tell
    logic [LenWidth-1:0] out_len;   // bytes of tag or digest; 0 is the algorithm's full length
    logic [3:0]          mode;      // meaning is the engine's
    logic                decrypt;
    logic [1:0]          key_len;   // key_len_e; 2'd3 is a bad parameter
    logic                ctx_save;  // end the job with one KindContext beat
    logic                is_final;  // last part of its message
    logic [127:0]        iv;        // IV, counter block or restored context; byte 0 in bits 7:0
    logic [LenWidth-1:0] aad_len;   // bytes of associated data
    logic [LenWidth-1:0] msg_len;   // bytes of message
  } job_t;

  // Key bytes 0..15, 0..23 or 0..31, byte 0 in bits 7:0; unused upper bytes are ignored.
  typedef logic [KeyWidth-1:0] key_t;

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [KeepWidth-1:0] keep;
    logic                 last;  // last beat of its kind in this job
    kind_e                kind;
  } beat_t;

  // From a shell to an engine.
  typedef struct packed {
    logic                clear;
    logic                job_valid;
    job_t                job;
    logic                key_valid;
    key_t                key;
    logic                src_valid;
    beat_t               src;
    logic                dst_ready;
    logic                done_ready;
    logic                rnd_valid;
    logic [RndWidth-1:0] rnd;
    logic                fault_inject;
  } engine_req_t;

  // From an engine to a shell.
  typedef struct packed {
    logic       job_ready;
    logic       key_ready;
    logic       src_ready;
    logic       dst_valid;
    beat_t      dst;
    logic       done_valid;
    status_e    done_status;
    logic       rnd_ready;
    logic       fault_corrected;
    logic       fault_detected;
    logic [7:0] fault_sites;
  } engine_rsp_t;

endpackage
