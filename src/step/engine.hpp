// What executes a step: one row an engine.
#pragma once

#include "device/device.hpp"
#include "measure/step.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"

#include <memory>
#include <string>

namespace mpsbench::step {

// Why devices of KIND cannot run ENGINE, with the cure; empty when they can.
[[nodiscard]] std::string why_no_engine(schema::DeviceKind kind, schema::Engine engine);

// EAGER, a step as LibTorch runs it operation by operation, as ENGINE runs it on DEVICE. Throws
// Error(no_device) where it cannot.
[[nodiscard]] std::unique_ptr<measure::Step> make_engine_step(schema::Engine engine,
                                                              std::unique_ptr<measure::Step> eager,
                                                              const device::Device& device);

}  // namespace mpsbench::step
