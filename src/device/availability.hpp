// Why a kind of device is not to be had here, with the cure: pure functions of what is known of the platform.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::device {

struct PlatformFacts {
  bool macos = false;
  std::string system_version;        // of macOS: "14.6.1"
  std::string least_macos = "14.0";  // for MPS, with this LibTorch
  bool arm64_process = false;
  bool translated = false;  // an x86-64 process on Apple silicon, under Rosetta
  bool cuda_built = false;  // into this LibTorch
  bool mps_built = false;
  bool mps_available = false;                 // LibTorch's own word
  std::int64_t cuda_devices = 0;              // that LibTorch sees
  std::optional<std::string> cuda_needed;     // version LibTorch was built with: "13.0"
  std::optional<std::string> cuda_of_driver;  // version the driver serves: "12.4"; null without a driver
};

// Empty when CUDA or MPS can be tried.
[[nodiscard]] std::string why_no_cuda(const PlatformFacts& facts);
[[nodiscard]] std::string why_no_mps(const PlatformFacts& facts);

// Of this process.
[[nodiscard]] PlatformFacts platform_facts();

}  // namespace mpsbench::device
