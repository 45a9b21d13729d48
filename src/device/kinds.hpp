// The kinds of devices in this worker: how they differ, and why one cannot be used here.
#pragma once

#include "schema/device_id.hpp"
#include "schema/device_status.hpp"
#include "schema/engine.hpp"

#include <c10/core/DeviceType.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::device {

// How the kinds of devices differ for the worker. A device has a row of these values, not a class.
struct Capabilities {
  bool events = false;          // the device's own event times can be trusted
  bool graphs = false;          // a captured step can be replayed
  bool copy_streams = false;    // has pinned host memory, and streams that copy while the device computes
  bool overflow_skips = false;  // the fused optimizers skip an update if gradients are not finite
  bool tf32 = false;            // can compute matrix products in tf32
  bool unified_memory = false;  // the device shares the host's memory
};

// Returns the capabilities in KIND's row. With MPSBENCH_DEVICE_ROW=mps in the environment, CUDA gets MPS's
// capabilities: this shows that both ways of measuring give the same times.
[[nodiscard]] Capabilities capabilities_of(schema::DeviceKind kind);

// Throws Error(no_device) if devices of KIND do not compute in PRECISION.
void require_precision(schema::DeviceKind kind, schema::Precision precision);

// Why a kind of device cannot be used here, and what to do about it: pure functions of the platform's facts.
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

// The table of device kinds in this worker, with one row per kind.
struct KindRow {
  schema::DeviceKind kind;
  c10::DeviceType torch;
  Capabilities capabilities;
  bool (*built_in)(const PlatformFacts&);           // whether this LibTorch has the kind
  std::string (*why_absent)(const PlatformFacts&);  // empty if the kind can be tried
  std::int64_t (*count)(const PlatformFacts&);      // how many devices can be tried
  void (*describe)(schema::DeviceStatus&);          // fills in what is known without opening the device
};

[[nodiscard]] const KindRow& kind_row(schema::DeviceKind kind);

// Returns the CPU, then the devices of all other kinds, highest rank first. Tries each one: it allocates a
// tensor, computes, and checks the result, and that numbers come back from the device with the same bits.
[[nodiscard]] std::vector<schema::DeviceStatus> probe_devices();

}  // namespace mpsbench::device
