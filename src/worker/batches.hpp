// A step whose batches come from the host: from a data set's files, or the synthetic one again and again.
#pragma once

#include "data/batches.hpp"
#include "measure/input_times.hpp"
#include "schema/messages.hpp"
#include "step/batch_feed.hpp"

#include <memory>

namespace mpsbench::worker {

// Whether the steps of REQUEST get their batches from the host.
[[nodiscard]] bool is_fed(const schema::LaunchRequest& request);

// How PART of the data set's files of REQUEST, which has one, becomes batches: only --rows of the rows that
// its steps take. PINNED: in memory that a GPU copies from.
[[nodiscard]] data::DataOptions data_options(const schema::LaunchRequest& request, data::Part part,
                                             bool pinned);

// The batches of the steps of REQUEST, which has a data set, all of them whole.
[[nodiscard]] std::unique_ptr<data::Batches> open_step_batches(const schema::LaunchRequest& request,
                                                               bool pinned);

// The first of them, on DEVICE.
[[nodiscard]] data::Batch first_batch(const schema::LaunchRequest& request, const device::Device& device);

class FedBatches {
 public:
  // RESIDENT_STEP reads RESIDENT; both must outlive this.
  FedBatches(const schema::LaunchRequest& request, data::Batch& resident, measure::Step& resident_step,
             const device::Device& device);

  [[nodiscard]] measure::Step& step() { return step_; }
  [[nodiscard]] const measure::InputParts& parts() const { return parts_; }

 private:
  std::unique_ptr<data::Batches> files_;  // null: the synthetic batch
  step::BatchFeed feed_;
  step::FedStep step_;
  step::FeedStep feed_step_;
  measure::InputParts parts_;
};

}  // namespace mpsbench::worker
