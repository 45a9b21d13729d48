// The engines, which execute steps. What they differ in stands in the rows of schema::Engine.
#pragma once

#include "base/interface.hpp"
#include "device/device.hpp"
#include "input/data/batches.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "nn/model_files.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"
#include "step/infer_step.hpp"
#include "step/train_step.hpp"

#include <functional>
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

// What the step of an engine with packages runs instead of the network's layers. All references but PACKAGE must
// outlive what is made.
[[nodiscard]] ForwardPass make_packaged_forward(const nn::Package& package, nn::Model& model, const data::Batch& batch);
[[nodiscard]] std::unique_ptr<TrainingPass> make_packaged_pass(const nn::Package& package, nn::Model& model,
                                                               const data::Batch& batch);

// Work that is captured once as a CUDA graph and then replayed.
class CapturedGraph : public base::Interface {
 public:
  // Queues on the current stream what was captured.
  virtual void replay() = 0;
};

// Captures what QUEUE queues on the current stream, which must not be the default one, without running it.
// Other threads may capture on other devices at the same time. Passes on what QUEUE throws. Throws
// Error(no_device) if this build has no CUDA graphs.
[[nodiscard]] std::unique_ptr<CapturedGraph> capture(const std::function<void()>& queue);

}  // namespace mpsbench::step
