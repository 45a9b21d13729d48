// Brings a batch from the host to the device for every step.
#pragma once

#include "device/device.hpp"
#include "input/data/batches.hpp"
#include "measure/step.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace mpsbench::step {

// Returns a source that repeats BATCH from the host, from pinned memory if DEVICE has it. Throws
// Error(no_device) for the CPU, because its batch already is on the host.
[[nodiscard]] std::unique_ptr<data::Batches> repeat_from_host(const data::Batch& batch, const device::Device& device);

// Brings batches to the device as a good loader does: from pinned memory and on a separate stream, so that the next
// batch is copied while a step computes. Devices without such streams (MPS) copy before each step. On the CPU the step
// reads the host's batch itself. A Feed can also run without a step, to measure its own cost.
class Feed final : public measure::Step {
 public:
  // RESIDENT is the batch that the steps read. It must outlive this object, and no batch of BATCHES may be larger.
  Feed(data::Batch& resident, std::unique_ptr<data::Batches> batches, const device::Device& device);
  ~Feed() override;

  // Queues the copy of the next batch into the resident one. After the last batch of an epoch, the next epoch
  // begins. Throws Error(usage) if an epoch has no batch.
  void run() override;
  // Makes the next batch the first one of an epoch.
  void begin_epoch() override;
  std::optional<double> loss() override { return std::nullopt; }

 private:
  struct Lane;
  void send();
  void read_in_place();

  data::Batch* resident_;
  std::unique_ptr<data::Batches> batches_;
  bool on_host_;
  std::unique_ptr<Lane> lane_;  // null: the device has no stream for copies
};

// A step that first gets its batch from a Feed.
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

// A step that only takes a batch, to measure the input pipeline alone.
class DataStep final : public measure::Step {
 public:
  explicit DataStep(std::unique_ptr<data::Batches> batches) : batches_(std::move(batches)) {}

  void run() override { static_cast<void>(data::take_batch(*batches_)); }
  void begin_epoch() override { batches_->begin_epoch(); }
  std::optional<double> loss() override { return std::nullopt; }
  // Threads that each prepare a batch finish at about the same time. So single batches come either
  // immediately or after a long wait, and a window must have several.
  [[nodiscard]] std::int64_t least_window_steps() const override { return kReadyBatches; }

 private:
  // More batches than a loader prepares ahead.
  static constexpr std::int64_t kReadyBatches = 8;

  std::unique_ptr<data::Batches> batches_;
};

}  // namespace mpsbench::step
