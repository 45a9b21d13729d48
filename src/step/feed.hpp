// Batches that come from the host for every step.
#pragma once

#include "data/batches.hpp"
#include "device/device.hpp"
#include "measure/step.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace mpsbench::step {

// One that is copied again and again, from pinned memory where DEVICE has it. Throws Error(no_device) for the
// CPU, whose batch is on the host already.
[[nodiscard]] std::unique_ptr<data::Batches> repeat_from_host(const data::Batch& batch,
                                                              const device::Device& device);

// Brings batches to the device as a good loader does: from pinned memory, on a stream of its own, the next
// one while a step computes on this one. Devices without such streams (MPS) copy before each step; on the CPU
// the step reads the host's batch itself. It can be run without the step, to see what it costs alone.
class Feed final : public measure::Step {
 public:
  // RESIDENT is what the steps read. It must outlive this, and no batch of BATCHES may be larger.
  Feed(data::Batch& resident, std::unique_ptr<data::Batches> batches, const device::Device& device);
  ~Feed() override;

  // Queues: the resident batch becomes the next one; after the last of an epoch the first of another. Throws
  // Error(usage) when an epoch has none.
  void run() override;
  // The next batch is the first of an epoch.
  void begin_epoch() override;
  std::optional<double> loss() override { return std::nullopt; }

 private:
  struct Lane;
  void send();
  void read_in_place();

  data::Batch* resident_;
  std::unique_ptr<data::Batches> batches_;
  bool on_host_;
  std::unique_ptr<Lane> lane_;  // null: no stream for copies
};

// A step whose resident batch is fed first.
class FedStep final : public measure::Step {
 public:
  FedStep(measure::Step& resident, Feed& feed) : resident_(&resident), feed_(&feed) {}

  void run() override {
    feed_->run();
    resident_->run();
  }
  void begin_epoch() override { feed_->begin_epoch(); }
  std::optional<double> loss() override { return resident_->loss(); }
  [[nodiscard]] std::int64_t preparation_steps() const override { return resident_->preparation_steps(); }

 private:
  measure::Step* resident_;
  Feed* feed_;
};

}  // namespace mpsbench::step
