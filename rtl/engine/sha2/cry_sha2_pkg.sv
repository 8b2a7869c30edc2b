// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types, constants and functions of SHA-2 (FIPS 180-4).
//
// Words are those of SHA-512. Words of SHA-256 are held in the upper half, above zeros: sums, Ch
// and Maj keep it so, and both constants and initial values of SHA-256 are the upper halves of
// those of SHA-512 (SHA-224's initial values: lower halves of SHA-384's).
package cry_sha2_pkg;

  // job_t.mode: a hash, or HMAC over it with ModeHmac added.
  parameter logic [3:0] ModeSha224    = 4'd0;
  parameter logic [3:0] ModeSha256    = 4'd1;
  parameter logic [3:0] ModeSha384    = 4'd2;
  parameter logic [3:0] ModeSha512    = 4'd3;
  parameter logic [3:0] ModeSha512256 = 4'd4;
  parameter logic [3:0] ModeSha512224 = 4'd5;
  parameter logic [3:0] ModeHmac      = 4'd8;

  typedef logic [63:0]      word_t;
  typedef logic [3:0][63:0] half_t;  // a..d or e..h; a or e is element 0

  typedef struct packed {
    half_t efgh;
    half_t abcd;
  } state_t;

  typedef struct packed {  // carry-save form: the value is the sum of both
    word_t carry;
    word_t sum;
  } pair_t;

  parameter word_t RoundConstants[80] = '{
    64'h428a2f98_d728ae22, 64'h71374491_23ef65cd, 64'hb5c0fbcf_ec4d3b2f, 64'he9b5dba5_8189dbbc,
    64'h3956c25b_f348b538, 64'h59f111f1_b605d019, 64'h923f82a4_af194f9b, 64'hab1c5ed5_da6d8118,
    64'hd807aa98_a3030242, 64'h12835b01_45706fbe, 64'h243185be_4ee4b28c, 64'h550c7dc3_d5ffb4e2,
    64'h72be5d74_f27b896f, 64'h80deb1fe_3b1696b1, 64'h9bdc06a7_25c71235, 64'hc19bf174_cf692694,
    64'he49b69c1_9ef14ad2, 64'hefbe4786_384f25e3, 64'h0fc19dc6_8b8cd5b5, 64'h240ca1cc_77ac9c65,
    64'h2de92c6f_592b0275, 64'h4a7484aa_6ea6e483, 64'h5cb0a9dc_bd41fbd4, 64'h76f988da_831153b5,
    64'h983e5152_ee66dfab, 64'ha831c66d_2db43210, 64'hb00327c8_98fb213f, 64'hbf597fc7_beef0ee4,
    64'hc6e00bf3_3da88fc2, 64'hd5a79147_930aa725, 64'h06ca6351_e003826f, 64'h14292967_0a0e6e70,
    64'h27b70a85_46d22ffc, 64'h2e1b2138_5c26c926, 64'h4d2c6dfc_5ac42aed, 64'h53380d13_9d95b3df,
    64'h650a7354_8baf63de, 64'h766a0abb_3c77b2a8, 64'h81c2c92e_47edaee6, 64'h92722c85_1482353b,
    64'ha2bfe8a1_4cf10364, 64'ha81a664b_bc423001, 64'hc24b8b70_d0f89791, 64'hc76c51a3_0654be30,
    64'hd192e819_d6ef5218, 64'hd6990624_5565a910, 64'hf40e3585_5771202a, 64'h106aa070_32bbd1b8,
    64'h19a4c116_b8d2d0c8, 64'h1e376c08_5141ab53, 64'h2748774c_df8eeb99, 64'h34b0bcb5_e19b48a8,
    64'h391c0cb3_c5c95a63, 64'h4ed8aa4a_e3418acb, 64'h5b9cca4f_7763e373, 64'h682e6ff3_d6b2b8a3,
    64'h748f82ee_5defb2fc, 64'h78a5636f_43172f60, 64'h84c87814_a1f0ab72, 64'h8cc70208_1a6439ec,
    64'h90befffa_23631e28, 64'ha4506ceb_de82bde9, 64'hbef9a3f7_b2c67915, 64'hc67178f2_e372532b,
    64'hca273ece_ea26619c, 64'hd186b8c7_21c0c207, 64'heada7dd6_cde0eb1e, 64'hf57d4f7f_ee6ed178,
    64'h06f067aa_72176fba, 64'h0a637dc5_a2c898a6, 64'h113f9804_bef90dae, 64'h1b710b35_131c471b,
    64'h28db77f5_23047d84, 64'h32caab7b_40c72493, 64'h3c9ebe0a_15c9bebc, 64'h431d67c4_9c100d4c,
    64'h4cc5d4be_cb3e42b6, 64'h597f299c_fc657e2a, 64'h5fcb6fab_3ad6faec, 64'h6c44198c_4a475817
  };

  // h down to a.
  parameter state_t Initial512 = {
    64'h5be0cd19_137e2179, 64'h1f83d9ab_fb41bd6b, 64'h9b05688c_2b3e6c1f, 64'h510e527f_ade682d1,
    64'ha54ff53a_5f1d36f1, 64'h3c6ef372_fe94f82b, 64'hbb67ae85_84caa73b, 64'h6a09e667_f3bcc908
  };
  parameter state_t Initial384 = {
    64'h47b5481d_befa4fa4, 64'hdb0c2e0d_64f98fa7, 64'h8eb44a87_68581511, 64'h67332667_ffc00b31,
    64'h152fecd8_f70e5939, 64'h9159015a_3070dd17, 64'h629a292a_367cd507, 64'hcbbb9d5d_c1059ed8
  };
  parameter state_t Initial512256 = {
    64'h0eb72ddc_81c52ca2, 64'h2b0199fc_2c85b8aa, 64'hbe5e1e25_53863992, 64'h96283ee2_a88effe3,
    64'h96387719_5940eabd, 64'h2393b86b_6f53b151, 64'h9f555fa3_c84c64c2, 64'h22312194_fc2bf72c
  };
  parameter state_t Initial512224 = {
    64'h1112e6ad_91d692a1, 64'h3f9d85a8_6a1d36c8, 64'h77e36f73_04c48942, 64'h0f6d2b69_7bd44da8,
    64'h679dd514_582f9fcf, 64'h1dfab7ae_32ff9c82, 64'h73e19966_89dcd4d6, 64'h8c3d37c8_19544da2
  };

  // Whether a hash (the lower three bits of the mode) has words of 64 bits.
  function automatic logic is_sha512(logic [2:0] hash);
    return hash > ModeSha256[2:0];
  endfunction

  function automatic logic [6:0] digest_bytes(logic [2:0] hash);
    unique case ({1'b0, hash})
      ModeSha224, ModeSha512224: return 7'd28;
      ModeSha256, ModeSha512256: return 7'd32;
      ModeSha384:                return 7'd48;
      ModeSha512:                return 7'd64;
      default:                   return '0;
    endcase
  endfunction

  function automatic state_t initial_state(logic [2:0] hash);
    state_t out;
    unique case ({1'b0, hash})
      ModeSha384, ModeSha224: out = Initial384;
      ModeSha512256:          out = Initial512256;
      ModeSha512224:          out = Initial512224;
      default:                out = Initial512;
    endcase
    if (!is_sha512(hash)) begin
      for (int unsigned i = 0; i < 4; i++) begin
        out.abcd[i] = {hash[0] ? out.abcd[i][63:32] : out.abcd[i][31:0], 32'd0};
        out.efgh[i] = {hash[0] ? out.efgh[i][63:32] : out.efgh[i][31:0], 32'd0};
      end
    end
    return out;
  endfunction

  function automatic word_t ror(word_t x, int unsigned by);
    return (x >> by) | (x << (64 - by));
  endfunction

  function automatic logic [31:0] ror32(logic [31:0] x, int unsigned by);
    return (x >> by) | (x << (32 - by));
  endfunction

  function automatic word_t big_sigma0(logic sha512, word_t x);
    return sha512 ? ror(x, 28) ^ ror(x, 34) ^ ror(x, 39)
                  : {ror32(x[63:32], 2) ^ ror32(x[63:32], 13) ^ ror32(x[63:32], 22), 32'd0};
  endfunction

  function automatic word_t big_sigma1(logic sha512, word_t x);
    return sha512 ? ror(x, 14) ^ ror(x, 18) ^ ror(x, 41)
                  : {ror32(x[63:32], 6) ^ ror32(x[63:32], 11) ^ ror32(x[63:32], 25), 32'd0};
  endfunction

  function automatic word_t small_sigma0(logic sha512, word_t x);
    return sha512 ? ror(x, 1) ^ ror(x, 8) ^ (x >> 7)
                  : {ror32(x[63:32], 7) ^ ror32(x[63:32], 18) ^ (x[63:32] >> 3), 32'd0};
  endfunction

  function automatic word_t small_sigma1(logic sha512, word_t x);
    return sha512 ? ror(x, 19) ^ ror(x, 61) ^ (x >> 6)
                  : {ror32(x[63:32], 17) ^ ror32(x[63:32], 19) ^ (x[63:32] >> 10), 32'd0};
  endfunction

  function automatic word_t choose(word_t x, word_t y, word_t z);
    return (x & y) ^ (~x & z);
  endfunction

  function automatic word_t majority(word_t x, word_t y, word_t z);
    return (x & y) | (z & (x | y));
  endfunction

  // Adds a word to a sum without a carry chain.
  function automatic pair_t add(pair_t x, word_t y);
    pair_t out;
    out.sum   = x.sum ^ x.carry ^ y;
    out.carry = majority(x.sum, x.carry, y) << 1;
    return out;
  endfunction

endpackage
