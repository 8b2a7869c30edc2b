// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The code of a stored word at each level of protection:
//
//   ProtectNone     no code
//   ProtectDetect   interleaved parity: finds any odd number of wrong bits and any burst of up to
//                   four
//   ProtectCorrect  SEC-DED (cry_hsiao_pkg)
package cry_code_pkg;

  parameter int unsigned Parities = 4;

  function automatic int unsigned check_width(int unsigned width, cry_protect_pkg::protect_e level);
    unique case (level)
      cry_protect_pkg::ProtectCorrect: return cry_hsiao_pkg::check_width(width);
      cry_protect_pkg::ProtectDetect:  return (width < Parities) ? width : Parities;
      default:                          return 0;
    endcase
  endfunction

endpackage
