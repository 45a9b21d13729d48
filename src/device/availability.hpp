// Why a kind of device cannot be used here, and what to do about it: pure functions of the platform's facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::device {

struct PlatformFacts {
  bool macos = false;
  std::string system_version;        // of macOS: "14.6.1"
  std::string least_macos = "14.0";  // the oldest macOS on which this LibTorch supports MPS
  bool arm64_process = false;
  bool translated = false;                    // an x86-64 process on Apple silicon, under Rosetta
  bool cuda_built = false;                    // this LibTorch has CUDA
  bool mps_built = false;                     // this LibTorch has MPS
  bool mps_available = false;                 // as LibTorch itself reports
  std::int64_t cuda_devices = 0;              // how many LibTorch sees
  std::optional<std::string> cuda_needed;     // the version that LibTorch was built with: "13.0"
  std::optional<std::string> cuda_of_driver;  // the version that the driver supports: "12.4"; null: no driver
};

// These functions return an empty string if the device can be tried.
[[nodiscard]] std::string why_no_cuda(const PlatformFacts& facts);
[[nodiscard]] std::string why_no_mps(const PlatformFacts& facts);

// Returns the facts of this process and its machine.
[[nodiscard]] PlatformFacts platform_facts();

}  // namespace mpsbench::device
