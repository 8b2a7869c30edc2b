// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "host.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

std::FILE *open(const std::string &path, const char *mode) {
  if (path.empty())
    return nullptr;
  std::FILE *file = std::fopen(path.c_str(), mode);
  if (file == nullptr)
    throw std::runtime_error("cannot open " + path);
  return file;
}

}  // namespace

Host::Host(Memory &memory, const std::string &input, const std::string &output,
           const std::string &params)
    : memory_(memory), input_(open(input, "rb")), output_(open(output, "wb")) {
  if (params.empty())
    return;
  std::ifstream file(params, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot open " + params);
  params_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

Host::~Host() {
  if (input_ != nullptr)
    std::fclose(input_);
  if (output_ != nullptr)
    std::fclose(output_);
}

void Host::resume(uint64_t bytes_in, uint64_t bytes_out) {
  bytes_in_ = bytes_in;
  bytes_out_ = bytes_out;
  if (input_ != nullptr && std::fseek(input_, static_cast<long>(bytes_in), SEEK_SET) != 0)
    throw std::runtime_error("the input cannot be continued");
}

uint32_t Host::command(uint32_t cmd, uint32_t addr, uint32_t length) {
  if (!memory_.contains(addr, length))
    return kRefused;
  switch (cmd) {
    case kReadInput:
      return read_input(addr, length);
    case kWriteOutput:
      return write_output(addr, length);
    case kReadParams:
      return read_params(addr, length);
    default:
      return kRefused;
  }
}

// Memory bounds the length, so one buffer of that length is small.
uint32_t Host::read_input(uint32_t addr, uint32_t length) {
  if (input_ == nullptr)
    return 0;
  std::vector<uint8_t> data(length);
  const auto count = static_cast<uint32_t>(std::fread(data.data(), 1, length, input_));
  if (std::ferror(input_) != 0)
    throw std::runtime_error("reading the input failed");
  memory_.write(addr, data.data(), count);
  bytes_in_ += count;
  return count;
}

uint32_t Host::write_output(uint32_t addr, uint32_t length) {
  if (output_ == nullptr)
    return kRefused;
  std::vector<uint8_t> data(length);
  memory_.read(addr, data.data(), length);
  if (std::fwrite(data.data(), 1, length, output_) != length || std::fflush(output_) != 0) {
    throw std::runtime_error("writing the output failed");
  }
  bytes_out_ += length;
  return length;
}

uint32_t Host::read_params(uint32_t addr, uint32_t length) {
  const auto count = static_cast<uint32_t>(std::min<size_t>(length, params_.size()));
  memory_.write(addr, params_.data(), count);
  return count;
}
