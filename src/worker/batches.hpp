// Which batches the steps of a launch take.
#pragma once

#include "data/batches.hpp"
#include "device/device.hpp"
#include "schema/messages.hpp"

#include <memory>

namespace mpsbench::worker {

// Whether the steps of REQUEST are fed from the host. Else one batch stays resident.
[[nodiscard]] bool is_fed(const schema::LaunchRequest& request);

// How PART of the data set's files of REQUEST, which has one, becomes batches: only --rows of the rows that
// its steps take. PINNED: in memory that a GPU copies from.
[[nodiscard]] data::DataOptions data_options(const schema::LaunchRequest& request, data::DataPart part,
                                             bool pinned);

// Those of the data set's files for the steps of REQUEST, which has one, all of them whole.
[[nodiscard]] std::unique_ptr<data::Batches> open_files(const schema::LaunchRequest& request, bool pinned);

// For the feed of REQUEST, which is fed: of its files or, with none, a copy of RESIDENT again and again.
[[nodiscard]] std::unique_ptr<data::Batches> fed_batches(const schema::LaunchRequest& request,
                                                         const data::Batch& resident,
                                                         const device::Device& device);

// The batch that is resident on DEVICE: the first of the files where these are not fed, else the synthetic
// one.
[[nodiscard]] data::Batch resident_batch(const schema::LaunchRequest& request, const device::Device& device);

}  // namespace mpsbench::worker
