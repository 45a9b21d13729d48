// What executes a step: one row an engine.
#pragma once

#include "device/device.hpp"
#include "measure/step.hpp"

#include <memory>
#include <span>
#include <string>

namespace mpsbench::step {

struct Engine {
  const char* name;                    // as --engine has it
  bool device::Capabilities::* needs;  // null: nothing
  const char* lack;                    // of a device without it: "has no graphs to replay"
  // From the step as LibTorch runs it operation by operation.
  std::unique_ptr<measure::Step> (*make)(std::unique_ptr<measure::Step> eager, const device::Device& device);
};

[[nodiscard]] std::span<const Engine> engines();

// Throws Error(usage) for an unknown name, with those that there are.
[[nodiscard]] const Engine& find_engine(const std::string& name);

// Empty, or why ENGINE cannot run on DEVICE.
[[nodiscard]] std::string why_unsupported(const Engine& engine, const device::Device& device);

// EAGER as ENGINE runs it on DEVICE. Throws Error(no_device) where it cannot.
[[nodiscard]] std::unique_ptr<measure::Step> make_engine_step(const Engine& engine,
                                                              std::unique_ptr<measure::Step> eager,
                                                              const device::Device& device);

}  // namespace mpsbench::step
