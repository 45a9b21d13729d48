// Batches from host memory, copied to the device for every step.
#pragma once

#include "data/synthetic.hpp"
#include "device/device.hpp"
#include "measure/step.hpp"

#include <memory>

namespace mpsbench::step {

// Copies as a good loader does: from pinned memory, on a stream of its own, the next batch while a step
// computes on this one. Devices without such streams (MPS) copy before each step.
class HostInput {
 public:
  // RESIDENT is what the steps read: on the device, and copied to the host here. It must outlive this.
  HostInput(const data::Batch& resident, const device::Device& device);
  ~HostInput();
  HostInput(const HostInput&) = delete;
  HostInput& operator=(const HostInput&) = delete;

  // Queues: the resident batch becomes the one that was sent last, and the next one is sent.
  void next();

 private:
  struct Lane;
  void send();

  std::vector<at::Tensor> resident_;
  std::vector<at::Tensor> host_;
  std::unique_ptr<Lane> lane_;  // null: no stream for copies
};

// A step that takes its batch from the host first.
class FedStep final : public measure::Step {
 public:
  FedStep(measure::Step& step, HostInput& input) : step_(&step), input_(&input) {}

  void run() override {
    input_->next();
    step_->run();
  }
  std::optional<double> loss() override { return step_->loss(); }
  [[nodiscard]] std::int64_t preparation_steps() const override { return step_->preparation_steps(); }

 private:
  measure::Step* step_;
  HostInput* input_;
};

// The copies of a fed step without the step.
class CopyStep final : public measure::Step {
 public:
  explicit CopyStep(HostInput& input) : input_(&input) {}

  void run() override { input_->next(); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  HostInput* input_;
};

}  // namespace mpsbench::step
