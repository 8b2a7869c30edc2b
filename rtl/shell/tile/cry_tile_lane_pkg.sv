// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types inside a lane.
//
// A lane runs up to NumJobs jobs at once, each at another stage: reading scatter-gather lists,
// requesting data, feeding the engine, writing, waiting for responses. Stages take jobs in order; a
// job is named by the index of its slot, and each stage counts for itself.
package cry_tile_lane_pkg;

  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;

  parameter int unsigned LongJobs = 2;   // of a queue: see is_long

  typedef logic [NumJobs-1:0]  places_t;   // a bit for each place

  // What comes out of a station that reads SG lists: a piece of memory, or why there is none. No
  // bit here is a copy of another: in a codeword they would become one flip-flop.
  typedef struct packed {
    place_t       place;
    logic         last;    // piece of its message
    tile_status_e why;     // other than TileOk: there is none
    addr_t        address;
    logic [31:0]  length;
  } piece_t;

  // A list to read.
  typedef struct packed {
    logic        there;    // else there is none
    addr_t       address;
    logic [31:0] length;   // bytes that are wanted, at least 1
  } list_t;

  // What a list station has of a job, beside a list of associated data.
  typedef struct packed {
    queue_t      owner;
    list_t       data;
    logic [31:0] skip;     // bytes in front of the data that are left out
    logic [31:0] max_bytes; // what the entries of each may count; 0: any number
    logic [15:0] piece;     // an entry counts as so many bytes, or more
  } list_job_t;

  // Sections to read.
  typedef enum logic [2:0] {
    SecKey,
    SecContext,  // context or IV
    SecAad,
    SecMessage,
    SecTag
  } section_e;
  parameter int unsigned NumSections = 5;

  typedef struct packed {
    queue_t                 owner;
    logic [NumSections-1:0] sections;  // those that are there, by section_e
    logic                   aad_list;  // is in pieces
    logic                   msg_list;
    logic                   tag_list;
    logic [6:0]             key_bytes;
    logic [9:0]             context_bytes;
    logic [31:0]            aad_len;
    logic [31:0]            msg_len;
    logic [31:0]            tag_bytes;
    addr_t                  key_addr;
    addr_t                  context_addr;
    addr_t                  aad_addr;
    addr_t                  src_addr;
    addr_t                  tag_addr;
  } read_job_t;

  // What the words of a burst are.
  typedef struct packed {
    place_t     place;
    section_e   section;
    logic       first;    // burst of its section
    logic       last;
    logic [3:0] skip;     // bytes of the first word that are not asked for
    logic [8:0] bytes;
  } burst_t;

  typedef struct packed {
    cry_engine_pkg::job_t job;
    logic             has_key;
    logic             two_keys;
  } hand_job_t;

  typedef struct packed {
    queue_t owner;
    logic   message;  // comes out
    logic   tag;
    logic   context_out;
    logic   list;
    logic   row;      // the tag is written behind the message
    logic   unwrap;
    // With unwrap: the message is so many beats of the tag, the first ones; 0: it is one.
    logic [2:0] made_beats;
    addr_t  dst_addr;
    addr_t  tag_addr;
    addr_t  context_addr;
  } write_job_t;

  // Where the next byte of a section goes.
  parameter int unsigned WordAddrWidth = AddrWidth - 4;

  typedef struct packed {
    logic [WordAddrWidth-1:0] word_addr;  // word of memory
    logic [3:0]               at;         // byte in the word
    logic                     bound;      // to `left` bytes, then comes another segment
    logic [31:0]              left;
  } position_t;

  // A message to overwrite with zeros.
  typedef struct packed {
    queue_t      owner;
    logic        list;
    addr_t       address;
    logic [31:0] length;
  } erase_t;

  function automatic tile_status_e status_of(bus_error_e error);
    return (error == BusDenied) ? TileWindowViolation : TileBusError;
  endfunction

  function automatic logic [15:0] keep_of(logic [4:0] bytes);
    logic [15:0] keep;
    for (int unsigned i = 0; i < 16; i++) keep[i] = bytes > 5'(i);
    return keep;
  endfunction

  // The start of what lies at an address.
  function automatic position_t position_of(addr_t address, logic bound, logic [31:0] left);
    return '{
      word_addr: address[AddrWidth-1:4],
      at:        address[3:0],
      bound:     bound,
      left:      left
    };
  endfunction

  // How far behind the oldest job a place is.
  function automatic place_t age_of(place_t place, place_t oldest);
    return place - oldest;
  endfunction

endpackage
