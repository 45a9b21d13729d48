// The engines, which execute steps. engine.cpp has a table with one row per engine.
#pragma once

#include "device/device.hpp"
#include "measure/step.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"

#include <memory>
#include <string>

namespace mpsbench::step {

// Returns why devices of KIND cannot run ENGINE, and what to do about it. Returns an empty text if they can.
[[nodiscard]] std::string why_no_engine(schema::DeviceKind kind, schema::Engine engine);

// Returns a step that runs STEP as ENGINE does on DEVICE. If the engine runs packages, STEP calls one;
// otherwise LibTorch runs it operation by operation. Throws Error(no_device) if the engine cannot run it.
[[nodiscard]] std::unique_ptr<measure::Step> make_engine_step(schema::Engine engine,
                                                              std::unique_ptr<measure::Step> step,
                                                              const device::Device& device);

}  // namespace mpsbench::step
