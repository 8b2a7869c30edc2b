// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Protection against upsets: the level that an engine or a part is built with. An upset
// (single-event upset, SEU) changes the value of a flip-flop between two clock edges. ProtectTmr is
// for whole engines (cry_engine_select): nothing inside an engine is built with it.
package cry_protect_pkg;

  typedef enum logic [1:0] {
    ProtectNone    = 2'd0,  // plain registers
    ProtectDetect  = 2'd1,  // an upset is flagged before anything wrong leaves
    ProtectCorrect = 2'd2,  // a single upset changes nothing outside
    ProtectTmr     = 2'd3   // likewise, by three unprotected engines in step
  } protect_e;

endpackage
