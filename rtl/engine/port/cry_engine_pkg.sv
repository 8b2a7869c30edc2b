// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The engine port: the interface between every engine and every shell.
//
// A shell drives an engine_req_t, an engine an engine_rsp_t; both are synchronous to the engine's
// clock. An engine ignores the inputs that it does not need and drives the outputs that it does not
// need with 0. cry_engine_flat has each signal as a port of its own.
//
// Six valid/ready channels: valid never waits for ready, and payload is stable while valid and not
// ready.
//
//   job   starts a job
//   key   key material, in one transfer or more after `job`, only if the job needs it (below)
//   src   16-byte beats to the engine; byte 0 of a message is bits 7:0 of its first beat
//   dst   16-byte beats from the engine. All beats but the last of a message are full, on both;
//         `keep` is contiguous from bit 0
//   done  ends a job: exactly one for every accepted `job`, also for bad parameters
//   rnd   fresh random bits, for masking and blinding; may be taken at any time, between jobs too
//
// Key material:
//
//   - Transfers of KeyWidth bits, in order, byte 0 of the first in bits 7:0. How many a job takes
//     follows from its mode, key_len and key_bytes (catalog/engines.yaml says it for shells);
//     nothing at the port bounds their number, and an engine consumes them at its own pace.
//   - A long key, the second key of a pair (XTS), further shares of a masked key, and the tag of a
//     sealed one are transfers behind the first, in an order that the mode defines.
//
// Abort and errors:
//
//   - A job with a bad parameter consumes neither `key` nor `src`, and produces nothing on `dst`.
//   - A job that ends with StatusFaultDetected may have left `key` and `src` beats untaken and
//     `dst` beats missing: the shell drops them with its `done`. Later jobs are not affected,
//     except those that the engine had already accepted, which may end in the same way.
//   - `clear` (one cycle) aborts: the engine zeroizes its state, deasserts its valids and returns
//     to idle without a `done`. In that cycle `done_valid` may still be high, with
//     StatusFaultDetected: the shell ignores it.
//
// Upsets:
//
//   - `fault_corrected` is high for one cycle for each upset that was corrected, `fault_detected`
//     when an upset ends the job.
//   - `fault_sites` is valid with either: the parts that report, one bit each, defined by the
//     engine; SitesWhole if it does not distinguish parts.
//   - `fault_inject` makes an upset that the engine must report, where the engine supports it: a
//     test of the reports' path.
package cry_engine_pkg;

  parameter int unsigned DataWidth = 128;            // bits of a beat
  parameter int unsigned KeepWidth = DataWidth / 8;  // bytes of a beat
  parameter int unsigned KeyWidth  = 256;            // bits of a transfer of key material
  parameter int unsigned LenWidth  = 32;             // bits of a length in bytes
  parameter int unsigned RndWidth  = 128;            // bits of a transfer of random bits
  // Bits of job_t.key_bytes. Engines and shells take any width, so it grows here with the longest
  // key whose length is not a matter of its mode
  parameter int unsigned KeyBytesWidth = 7;

  // Section that a beat is part of.
  typedef enum logic [1:0] {
    KindMessage = 2'd0,
    KindAad     = 2'd1,  // associated data
    KindTag     = 2'd2,  // authentication tag or digest
    KindContext = 2'd3   // saved context of a message; on `src` also a long IV
  } kind_e;

  // Result of a job.
  typedef enum logic [3:0] {
    StatusOk             = 4'd0,
    StatusAuthFailed     = 4'd1,
    StatusBadParam       = 4'd2,
    StatusFaultCorrected = 4'd3,
    StatusFaultDetected  = 4'd4,
    StatusBusError       = 4'd5,  // from shells, never from engines
    StatusAborted        = 4'd6,  // from shells, never from engines
    StatusRefused        = 4'd7,  // key or message are no valid scalar or point; output is zero
    StatusNoRandom       = 4'd8   // no random bits came in time; output is zero
  } status_e;

  typedef enum logic [1:0] {
    KeyLen128 = 2'd0,
    KeyLen192 = 2'd1,
    KeyLen256 = 2'd2
  } key_len_e;

  // `fault_sites` of engines that do not distinguish parts.
  typedef enum logic [7:0] {
    SitesWhole = 8'd1
  } sites_e;

  // One call of an algorithm on a message or a part of one. An engine ignores the fields of the
  // first four that it does not need.
  typedef struct packed {
    logic                     ctx_load;   // `src` begins with KindContext: the saved context
    logic [9:0]               iv_len;     // bytes of IV; 0: the mode's own length
    logic [KeyBytesWidth-1:0] key_bytes;  // bytes of a key of another length than key_len has
    logic [LenWidth-1:0]      out_len;    // bytes of tag or digest; 0: the algorithm's full length
    logic [3:0]               mode;       // encoding is the engine's
    logic                     decrypt;    // decrypt or verify
    logic [1:0]               key_len;    // key_len_e; 2'd3 is a bad parameter
    logic                     ctx_save;   // end the job with one KindContext beat
    logic                     is_final;   // last part of its message
    logic [127:0]             iv;         // IV, counter block or restored context; byte 0 in 7:0
    logic [LenWidth-1:0]      aad_len;    // bytes of associated data
    logic [LenWidth-1:0]      msg_len;    // bytes of message
  } job_t;

  // A transfer of key material: of a single key, bytes 0..15, 0..23 or 0..31, byte 0 in bits 7:0;
  // unused upper bytes are ignored.
  typedef logic [KeyWidth-1:0] key_t;

  typedef struct packed {
    logic [DataWidth-1:0] data;  // byte 0 in bits 7:0
    logic [KeepWidth-1:0] keep;  // valid bytes
    logic                 last;  // last beat of its kind in this job
    kind_e                kind;  // section
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
