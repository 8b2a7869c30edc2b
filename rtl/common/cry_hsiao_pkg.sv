// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The SEC-DED code of Hsiao (1970): single-error correction, double-error detection.
//
// All columns of the check matrix are different and of odd weight, those of data bits are of least
// weight, and the ones are spread evenly over its rows. A codeword is {check bits, data bits}.
package cry_hsiao_pkg;

  parameter int unsigned MaxWidth = 247;  // data bits that MaxCheck check bits can cover
  parameter int unsigned MaxCheck = 9;    // check bits

  typedef logic [MaxCheck-1:0]               column_t;
  typedef logic [MaxWidth-1:0][MaxCheck-1:0] matrix_t;

  // Check bits for a width: there are 2**(check - 1) odd columns, and check bits take one each.
  function automatic int unsigned check_width(int unsigned width);
    int unsigned check = 3;
    while ((32'd1 << (check - 1)) - check < width) check++;
    return check;
  endfunction

  // Rotates the lower `check` bits left by one.
  function automatic column_t rotate(column_t column, int unsigned check);
    column_t ones = column_t'((32'd1 << check) - 32'd1);
    return ((column << 1) | (column >> (check - 1))) & ones;
  endfunction

  // Columns of data bits, in order of weight: whole sets of rotations of one pattern, which load
  // every row alike.
  function automatic matrix_t columns(int unsigned check);
    matrix_t     matrix = '0;
    int unsigned place = 0;
    for (int unsigned weight = 3; weight <= check; weight += 2) begin
      for (int unsigned pattern = 0; pattern < (32'd1 << check); pattern++) begin
        column_t turned = column_t'(pattern);
        logic    first = $countones(turned) == weight;  // the least of its rotations
        for (int unsigned turn = 1; turn < check; turn++) begin
          turned = rotate(turned, check);
          if (32'(turned) < pattern) first = 1'b0;
        end
        if (first) begin
          turned = column_t'(pattern);
          for (int unsigned turn = 0; turn < check; turn++) begin
            if (place < MaxWidth && (turn == 0 || 32'(turned) != pattern)) begin
              matrix[place] = turned;
              place++;
            end else if (turn != 0 && 32'(turned) == pattern) begin
              break;  // a pattern that repeats within itself
            end
            turned = rotate(turned, check);
          end
        end
      end
    end
    return matrix;
  endfunction

endpackage
