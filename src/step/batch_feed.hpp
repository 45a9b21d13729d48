// Batches that come from the host for every step.
#pragma once

#include "data/synthetic.hpp"
#include "device/device.hpp"
#include "measure/step.hpp"
#include "step/batch_source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace mpsbench::step {

// A batch that is copied again and again, from pinned memory where DEVICE has it. Throws Error(no_device) for
// the CPU, whose batch is on the host already.
[[nodiscard]] BatchSource repeat_from_host(const data::Batch& batch, const device::Device& device);

// Brings batches to the device as a good loader does: from pinned memory, on a stream of its own, the next
// one while a step computes on this one. Devices without such streams (MPS) copy before each step; on the CPU
// the step reads the host's batch itself.
class BatchFeed {
 public:
  // RESIDENT is what the steps read. It must outlive this, and no batch of SOURCE may be larger.
  BatchFeed(data::Batch& resident, BatchSource source, const device::Device& device);
  ~BatchFeed();
  BatchFeed(const BatchFeed&) = delete;
  BatchFeed& operator=(const BatchFeed&) = delete;

  // Queues: the resident batch becomes the next one; after the last of an epoch the first of another. Throws
  // Error(usage) when an epoch has none.
  void next();
  // The next batch is the first of an epoch.
  void begin_epoch();

 private:
  struct Lane;
  void send();
  void read_in_place();

  data::Batch* resident_;
  BatchSource source_;
  bool on_host_;
  std::unique_ptr<Lane> lane_;  // null: no stream for copies
};

// A step that takes its batch from the host first.
class FedStep final : public measure::Step {
 public:
  FedStep(measure::Step& step, BatchFeed& feed) : step_(&step), feed_(&feed) {}

  void run() override {
    feed_->next();
    step_->run();
  }
  void begin_epoch() override { feed_->begin_epoch(); }
  std::optional<double> loss() override { return step_->loss(); }
  [[nodiscard]] std::int64_t preparation_steps() const override { return step_->preparation_steps(); }

 private:
  measure::Step* step_;
  BatchFeed* feed_;
};

// What brings a fed step's batches, without the step.
class FeedStep final : public measure::Step {
 public:
  explicit FeedStep(BatchFeed& feed) : feed_(&feed) {}

  void run() override { feed_->next(); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  BatchFeed* feed_;
};

}  // namespace mpsbench::step
