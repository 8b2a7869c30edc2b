// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types between the parts of the tile.
//
//   cry_tile_queues --lane_job_t, key--> cry_tile_lane (one per engine)
//   cry_tile_lane --lane_done_t--> cry_tile_queues
//   cry_tile_queues, lanes --bus_req_t--> cry_tile_bus --queue and page--> cry_tile_guard, AXI4
//
// Lane jobs: `valid`/`ready`, one job and its key in a cycle. cry_tile_queues looks for a job only
// for lanes that are ready, so ready must not depend on valid. For every job taken the lane gives
// exactly one lane_done_t (valid/ready) when all its bursts are answered: in order, but for aborted
// jobs. Abort: a level per queue. While it is high the lane ends jobs of that queue soon, with
// TileAborted: no new bursts, read data dropped, bursts that were begun are completed (strobes
// low).
//
// Bus: readers have `req` (valid/ready) and R (valid, data, last, error; no ready: a reader asks
// only for what it has room for). Writers have `req` (valid/ready), W (valid/ready, data, strobes)
// and B (valid, error; no ready). W data of a burst may come before, with or after its request was
// taken; bursts of one writer are in order, as are its B and a reader's R. A burst that is denied
// is answered as if it had been made: all R beats, or W taken and one B, with the error BusDenied.
package cry_tile_pkg;

  import cry_tile_catalog_pkg::*;

  parameter int unsigned AddrWidth  = 56;
  parameter int unsigned PageWidth  = AddrWidth - 12;
  parameter int unsigned MaxQueues  = 8;
  parameter int unsigned QueueWidth = $clog2(MaxQueues);
  parameter int unsigned MaxSlots   = 16;
  parameter int unsigned SlotWidth  = $clog2(MaxSlots);
  // Of key material, as 80 bytes of memory. Where no engine has keys of more than 64 bytes what is
  // above them is 0, and has no flip-flops: see slot_beats.
  parameter int unsigned SlotBits   = 640;

  typedef logic [QueueWidth-1:0] queue_t;
  typedef logic [SlotWidth-1:0]  slot_t;
  typedef logic [AddrWidth-1:0]  addr_t;
  typedef logic [PageWidth-1:0]  page_t;
  typedef logic [SlotBits-1:0]   slot_key_t;

  // --- Bus ---------------------------------------------------------------------------------------

  // Which of its jobs a lane asks for.
  parameter int unsigned NumJobs  = 8;
  parameter int unsigned JobWidth = $clog2(NumJobs);
  typedef logic [JobWidth-1:0] place_t;

  // A burst of whole 16-byte beats that does not cross a page of 4 KiB.
  typedef struct packed {
    queue_t     owner;    // the queue on whose behalf: its windows count
    place_t     place;    // of a lane: the job for which it is
    addr_t      address;  // multiple of 16
    logic [3:0] len;      // beats - 1
  } bus_req_t;

  typedef enum logic [1:0] {
    BusOkay   = 2'd0,
    BusDenied = 2'd1,  // outside the windows of the queue: nothing left the tile
    BusFailed = 2'd2   // the bus answered with an error
  } bus_error_e;

  typedef struct packed {
    logic [127:0] data;
    logic         last;
    bus_error_e   error;
  } bus_r_t;

  typedef struct packed {
    logic [127:0] data;
    logic [15:0]  strb;
    logic         last;
  } bus_w_t;

  // What a burst is for.
  typedef enum logic [1:0] {
    ForData       = 2'd0,
    ForList       = 2'd1,
    ForDescriptor = 2'd2,
    ForRecord     = 2'd3
  } purpose_e;

  // A burst that was refused.
  typedef struct packed {
    logic        valid;    // one cycle
    queue_t      owner;
    logic        write;
    purpose_e    what;
    logic [15:0] index;    // of the descriptor, for data and lists
    addr_t       address;
  } violation_t;

  // What cry_tile_bus asks cry_tile_guard, combinationally, for a read and for a write at once.
  typedef struct packed {
    queue_t owner;
    logic   ring;   // for a descriptor or record: never a relative address
    page_t  page;
  } guard_req_t;

  // Where a burst that is allowed goes.
  parameter int unsigned ProcessWidth = 20;
  parameter int unsigned UserWidth    = ProcessWidth + QueueWidth;
  typedef logic [ProcessWidth-1:0] process_t;

  typedef struct packed {
    page_t                page;
    logic [UserWidth-1:0] user;   // AxUSER: process, queue
    logic [3:0]           cache;  // AxCACHE
    logic [2:0]           prot;   // AxPROT
  } route_t;

  // --- Lanes -------------------------------------------------------------------------------------

  // Lanes of a tile but the further ones of AES: lane n is for opcode n + 1. There is always one
  // for AES, which may be empty, as others are whose opcode is not built in.
  function automatic int unsigned base_lanes(logic [15:0] opcodes);
    base_lanes = int'(OpAes);
    for (int unsigned n = int'(OpAes) + 1; n < 16; n++) if (opcodes[n]) base_lanes = n;
  endfunction

  // Of a queue a lane has few long jobs at once, so that those of others wait for few. The entries
  // of a list may have a byte each, and cost more than that.
  parameter int unsigned LongBytes  = 4096;  // of a longer section
  parameter int unsigned ListBytes  = 64;    // likewise, with a list

  function automatic logic is_long(logic [31:0] msg_len, logic [31:0] aad_len,
                                   logic [31:0] out_len, logic list);
    logic [31:0] most;
    most = list ? 32'(ListBytes) : 32'(LongBytes);
    return (msg_len > most) || (aad_len > most) || (out_len > 32'(LongBytes));
  endfunction

  // What a lane hands back with `done` as it came.
  typedef struct packed {
    queue_t      owner;   // queue
    logic [15:0] index;   // of the descriptor, free-running
    logic [31:0] start;   // cycle in which the descriptor was there
    logic        irq;
    logic        nonce;   // the tile made one: its last word is in `start`
    logic        unwrap;  // KindMessage goes to the unwrap port instead of to memory
    logic        token;   // and from there to one job, which has this tag else
    logic        made;    // with unwrap: instead the first made_beats of KindTag go there
    slot_t       slot;    // destination of unwrap
  } job_tag_t;

  // A job. What can be checked without memory was checked: addresses are of 56 bits, fields exclude
  // each other as they must. Sections on the engine's src, in this order: context (job.ctx_load; at
  // context_addr) or IV (has_iv: job.iv_len bytes at iv_addr, as KindContext; else it is in
  // job.iv), AAD (job.aad_len), message (job.msg_len), tag (has_tag && job.decrypt: tag_bytes at
  // tag_addr).
  // Written: message, then tag (to tag_addr, as long as the engine gives) or context (job.ctx_save:
  // to context_addr).
  // With row a list of the source holds AAD, message and tag; in one of the destination the first
  // job.aad_len bytes are left out. Without these lists the addresses say where all is.
  typedef struct packed {
    job_tag_t          tag;
    cry_engine_pkg::job_t  job;
    logic              has_iv;     // the IV is a section of its own; never with job.ctx_load
    logic [3:0]        context_beats;  // of a saved context in memory
    logic              has_key;    // the engine will ask for a key
    logic              two_keys;   // in two transfers (XTS, HMAC, KMAC)
    logic              key_slot;   // the key came with the job; else: key_bytes bytes at key_addr
    logic [6:0]        key_bytes;  // in memory: 0..80; XTS: both keys, one behind the other
    logic              has_tag;    // a tag or digest is read or written in this part
    logic [31:0]       tag_bytes;  // its bytes, never 0 with has_tag
    logic [2:0]        made_beats; // of them: a key, in beats of 16 bytes; 0 without tag.made
    logic              has_output; // KindMessage comes out (hashes: no)
    logic              src_list;   // src_addr is that of an SG list
    logic              dst_list;
    logic              aad_list;
    logic              row;        // the tag is written behind the message; and see above
    addr_t             src_addr;
    addr_t             dst_addr;
    addr_t             aad_addr;
    addr_t             tag_addr;
    addr_t             key_addr;
    addr_t             context_addr;
    addr_t             iv_addr;
    logic [31:0]       max_bytes;  // what the entries of a list may count; 0: any number
    logic [15:0]       piece;      // an entry counts as so many bytes, or more
  } lane_job_t;

  typedef struct packed {
    job_tag_t     tag;
    tile_status_e status;
    logic [31:0]  bytes;  // of message and tag that were written
  } lane_done_t;

  // From a lane whose job has tag.unwrap: AAD and message beats as they pass (valid only, never
  // full); of one with tag.made the key, while the AAD comes from cry_tile_dispatch. The key is
  // written to its slot when done comes with TileOk.
  typedef struct packed {
    logic         aad;    // else message
    logic [2:0]   beat;   // of its section
    logic [127:0] data;
  } unwrap_t;

  // What the kernel has set for jobs of a queue.
  typedef struct packed {
    logic [15:0] opcodes;        // may be used
    logic        no_clear_keys;  // keys come from slots and tokens alone
    logic        make_keys;      // may make keys in slots
    logic [3:0]  weight;         // share of the turns
    process_t    pasid;          // process: whose they are
    logic        relative;       // addresses are of windows
    logic [15:0] piece;          // an entry of a list counts as so many bytes, or more
  } policy_t;

  // --- Key slots ---------------------------------------------------------------------------------

  // Of 16 bytes: the longest key of slots that serve these opcodes.
  function automatic int unsigned slot_beats(logic [15:0] opcodes);
    slot_beats = (longest_made(opcodes) > 4) ? longest_made(opcodes) : 4;
  endfunction

  // Opcodes whose keys may have more than 64 bytes, but no more than a slot.
  function automatic logic [15:0] long_opcodes();
    for (int unsigned n = 0; n < 16; n++) long_opcodes[n] = slot_beats(16'd1 << n) > 4;
  endfunction

  // Words of a key in its slot; more than there are if they have no room.
  function automatic logic [5:0] words_of(logic [6:0] key_bytes);
    return 6'((8'(key_bytes) + 8'd3) >> 2);
  endfunction

  // May a job use a slot?
  typedef struct packed {
    queue_t      owner;
    slot_t       slot;
    logic [7:0]  generation;  // of the slot; 0: any
    logic [3:0]  opcode;
    logic [3:0]  mode;
    logic [6:0]  key_bytes;
    logic [6:0]  tag_bytes;   // 0: there is no tag in this part; 127: as many or more
    logic        tag_full;    // as long as the mode's tags are
    logic        keystream;   // of the mode, as in mode_t
    logic        sealing;     // encryption with a tag
    logic        output_made; // the message comes out again
    logic        tile_nonce;  // the tile can make the nonce of this job
    logic        in_parts;    // one part of a message, with contexts
    logic        decrypt;
    logic        unwrap;      // the job unwraps a key: `target` is the slot it goes to
    logic        token;       // or one job, and no slot
    logic        made;        // or makes that key; key_bytes is 0 if it needs none for it
    slot_t       target;
  } permit_req_t;

endpackage
