// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Arbitrates the bursts of all readers and writers onto one AXI4 manager, round-robin, burst by
// burst.
//
// Every burst is checked by cry_tile_guard (guard_*, combinational) before it is issued. A denied
// burst is answered locally, with all its beats and BusDenied. All bursts are issued in order with
// one identifier; FIFOs of metadata route the responses.
//
// When the memory has not moved for watchdog_i cycles though it was asked (cry_tile_bus_watchdog),
// dead_o is high until reset: bursts that it owes an answer and all new ones are answered here,
// with BusFailed, and none is made. A valid that is high stays until its ready, as AXI demands;
// what the memory answers late is taken and dropped; of a write that is cut off the rest is never
// sent.
//
// AXI4: INCR bursts of 16-byte words; valid never waits for ready; W data may be offered before its
// address is accepted. R is stalled (rready low) only while a read is answered here.
//
// Latency: AR and AW two cycles after the request's handshake; responses are passed on
// combinationally. One request per direction and cycle. A writer must have all data of the burst
// that it requests, since other writers wait behind it.
module cry_tile_bus
  import cry_tile_pkg::*;
#(
  parameter int unsigned NumReaders = 2,   // readers
  parameter int unsigned NumWriters = 2,   // writers
  parameter int unsigned Pending    = 32,  // outstanding bursts per direction, a power of two
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned ReaderWidth = (NumReaders > 1) ? $clog2(NumReaders) : 1,
  localparam int unsigned WriterWidth = (NumWriters > 1) ? $clog2(NumWriters) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Readers
  input  logic [NumReaders-1:0]       ar_valid_i,  // by reader: a burst is requested
  output logic [NumReaders-1:0]       ar_ready_o,  // the request is accepted
  input  bus_req_t [NumReaders-1:0]   ar_i,        // address, length, owner
  output logic [NumReaders-1:0]       r_valid_o,   // by reader: a word of a response
  output bus_r_t                      r_o,         // data, last, error

  // Writers
  input  logic [NumWriters-1:0]       aw_valid_i,  // by writer: a burst is requested
  output logic [NumWriters-1:0]       aw_ready_o,  // the request is accepted
  input  bus_req_t [NumWriters-1:0]   aw_i,        // address, length, owner
  input  logic [NumWriters-1:0]       w_valid_i,   // by writer: a word of its requests, in order
  output logic [NumWriters-1:0]       w_ready_o,   // the word is accepted
  input  bus_w_t [NumWriters-1:0]     w_i,         // data, strobes
  output logic [NumWriters-1:0]       b_valid_o,   // by writer: a burst is answered
  output bus_error_e                  b_error_o,   // how, with b_valid_o

  input  logic [31:0]                 watchdog_i,  // cycles; 0: the memory is not watched
  output logic                        dead_o,      // level until reset: it does not answer

  // cry_tile_guard
  output guard_req_t                  guard_read_o,           // burst to be checked
  input  route_t                      guard_read_route_i,    // where it goes, with that
  input  logic                        guard_read_allowed_i,   // its result, combinational
  output guard_req_t                  guard_write_o,          // burst to be checked
  input  route_t                      guard_write_route_i,   // where it goes, with that
  input  logic                        guard_write_allowed_i,  // its result, combinational

  // Bursts that were refused
  output logic                        refused_read_o,        // one cycle: a read
  output bus_req_t                    refused_read_req_o,    // which, with refused_read_o
  output logic [ReaderWidth-1:0]      refused_reader_o,      // whose, with refused_read_o
  output logic                        refused_write_o,       // one cycle: a write
  output bus_req_t                    refused_write_req_o,   // which, with refused_write_o
  output logic [WriterWidth-1:0]      refused_writer_o,      // whose, with refused_write_o

  // AXI4
  output logic                        m_axi_awvalid_o,  // AXI4
  input  logic                        m_axi_awready_i,  // AXI4
  output logic [AddrWidth-1:0]        m_axi_awaddr_o,   // byte address
  output logic [7:0]                  m_axi_awlen_o,    // words less 1
  output logic [UserWidth-1:0]        m_axi_awuser_o,   // process, queue
  output logic [3:0]                  m_axi_awcache_o,  // of the window
  output logic [2:0]                  m_axi_awprot_o,   // of the window
  output logic                        m_axi_wvalid_o,   // AXI4
  input  logic                        m_axi_wready_i,   // AXI4
  output logic [127:0]                m_axi_wdata_o,    // byte 0 in bits 7:0
  output logic [15:0]                 m_axi_wstrb_o,    // bytes written
  output logic                        m_axi_wlast_o,    // last word of the burst
  input  logic                        m_axi_bvalid_i,   // AXI4
  output logic                        m_axi_bready_o,   // low only while a write is answered here
  input  logic [1:0]                  m_axi_bresp_i,    // AXI4
  output logic                        m_axi_arvalid_o,  // AXI4
  input  logic                        m_axi_arready_i,  // AXI4
  output logic [AddrWidth-1:0]        m_axi_araddr_o,   // byte address
  output logic [7:0]                  m_axi_arlen_o,    // words less 1
  output logic [UserWidth-1:0]        m_axi_aruser_o,   // process, queue
  output logic [3:0]                  m_axi_arcache_o,  // of the window
  output logic [2:0]                  m_axi_arprot_o,   // of the window
  input  logic                        m_axi_rvalid_i,   // AXI4
  output logic                        m_axi_rready_o,   // low only while a read is answered here
  input  logic [127:0]                m_axi_rdata_i,    // byte 0 in bits 7:0
  input  logic [1:0]                  m_axi_rresp_i,    // AXI4
  input  logic                        m_axi_rlast_i,    // AXI4

  output logic quiet_o,      // level: no burst is under way

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [1:0] asked, moves;
  logic [2:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  cry_tile_bus_watchdog #(
    .Protect(Protect)
  ) u_watchdog (
    .clk_i,
    .rst_ni,
    .limit_i(watchdog_i),
    .asked_i(asked),
    .moves_i(moves),
    .dead_o,
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );
  logic [1:0] quiet;
  assign quiet_o = &quiet;

  cry_tile_bus_read #(
    .Number (NumReaders),
    .Pending(Pending),
    .Protect(Protect)
  ) u_read (
    .clk_i,
    .rst_ni,
    .ar_valid_i,
    .ar_ready_o,
    .ar_i,
    .r_valid_o,
    .r_o,
    .dead_i         (dead_o),
    .asked_o        (asked[0]),
    .moves_o        (moves[0]),
    .guard_o        (guard_read_o),
    .guard_allowed_i(guard_read_allowed_i),
    .guard_route_i  (guard_read_route_i),
    .refused_o      (refused_read_o),
    .refused_req_o  (refused_read_req_o),
    .refused_who_o  (refused_reader_o),
    .m_axi_arvalid_o,
    .m_axi_arready_i,
    .m_axi_araddr_o,
    .m_axi_arlen_o,
    .m_axi_aruser_o,
    .m_axi_arcache_o,
    .m_axi_arprot_o,
    .m_axi_rvalid_i,
    .m_axi_rready_o,
    .m_axi_rdata_i,
    .m_axi_rresp_i,
    .m_axi_rlast_i,
    .quiet_o    (quiet[0]),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  cry_tile_bus_write #(
    .Number (NumWriters),
    .Pending(Pending),
    .Protect(Protect)
  ) u_write (
    .clk_i,
    .rst_ni,
    .aw_valid_i,
    .aw_ready_o,
    .aw_i,
    .w_valid_i,
    .w_ready_o,
    .w_i,
    .b_valid_o,
    .b_error_o,
    .dead_i         (dead_o),
    .asked_o        (asked[1]),
    .moves_o        (moves[1]),
    .guard_o        (guard_write_o),
    .guard_allowed_i(guard_write_allowed_i),
    .guard_route_i  (guard_write_route_i),
    .refused_o      (refused_write_o),
    .refused_req_o  (refused_write_req_o),
    .refused_who_o  (refused_writer_o),
    .m_axi_awvalid_o,
    .m_axi_awready_i,
    .m_axi_awaddr_o,
    .m_axi_awlen_o,
    .m_axi_awuser_o,
    .m_axi_awcache_o,
    .m_axi_awprot_o,
    .m_axi_wvalid_o,
    .m_axi_wready_i,
    .m_axi_wdata_o,
    .m_axi_wstrb_o,
    .m_axi_wlast_o,
    .m_axi_bvalid_i,
    .m_axi_bready_o,
    .m_axi_bresp_i,
    .quiet_o    (quiet[1]),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

`ifndef SYNTHESIS
  cry_axi_protocol_checker #(
    .IdWidth  (1),
    .DataWidth(128)
  ) u_checker (
    .clk_i,
    .rst_ni,
    .awvalid_i(m_axi_awvalid_o),
    .awready_i(m_axi_awready_i),
    .awid_i   (1'b0),
    .awaddr_i (m_axi_awaddr_o[31:0]),
    .awlen_i  (m_axi_awlen_o),
    .wvalid_i (m_axi_wvalid_o),
    .wready_i (m_axi_wready_i),
    .wdata_i  (m_axi_wdata_o),
    .wstrb_i  (m_axi_wstrb_o),
    .wlast_i  (m_axi_wlast_o),
    .bvalid_i (m_axi_bvalid_i),
    .bready_i (m_axi_bready_o),
    .arvalid_i(m_axi_arvalid_o),
    .arready_i(m_axi_arready_i),
    .arid_i   (1'b0),
    .araddr_i (m_axi_araddr_o[31:0]),
    .arlen_i  (m_axi_arlen_o),
    .rvalid_i (m_axi_rvalid_i),
    .rready_i (m_axi_rready_o),
    .rlast_i  (m_axi_rlast_i)
  );
`endif

endmodule
