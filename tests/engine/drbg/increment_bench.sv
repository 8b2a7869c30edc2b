// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The DRBG's counter alone.
module increment_bench (
  input  logic [127:0] v_i,    // counter block
  output logic [127:0] next_o  // the next one
);

  assign next_o = cry_drbg_pkg::increment(v_i);

endmodule
