// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Watches the engine's port in every simulation.
bind chacha20poly1305_engine_lockstep engine_port_checker u_port_checker (
  .job_ready_i  (job_ready_o),
  .key_ready_i  (key_ready_o),
  .src_ready_i  (src_ready_o),
  .dst_valid_i  (dst_valid_o),
  .dst_i        (dst_o),
  .done_valid_i (done_valid_o),
  .done_status_i(done_status_o),
  .*
);
