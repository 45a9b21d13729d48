// Chooses the batches that the steps of a launch take.
#pragma once

#include "device/device.hpp"
#include "input/data/batches.hpp"
#include "schema/messages.hpp"

#include <memory>

namespace mpsbench::worker {

// The number of this process among those that run the launch.
[[nodiscard]] std::int64_t rank_of(const schema::LaunchRequest& request);

// Whether the steps of REQUEST are fed from the host. Otherwise one batch stays on the device.
[[nodiscard]] bool is_fed(const schema::LaunchRequest& request);

// Returns how PART of REQUEST's data set becomes batches. REQUEST must have the files of a data set. --rows limits only
// the part that the steps take. If PINNED, the batches are in host memory from which a GPU can copy directly.
[[nodiscard]] data::DataOptions data_options(const schema::LaunchRequest& request, data::DataPart part, bool pinned);

// Opens the data set's files of REQUEST, which must have them, for its steps. All batches are full, unless
// REQUEST keeps the last one. Here and below, LAUNCH gets the lengths of batches that are padded to their
// longest text; it must outlive the batches.
[[nodiscard]] std::unique_ptr<data::Batches> open_files(const schema::LaunchRequest& request, bool pinned,
                                                        schema::Launch& launch);

// Returns the batches for the feed of REQUEST, for which is_fed() must be true: from its files or, without
// files, always a copy of RESIDENT.
[[nodiscard]] std::unique_ptr<data::Batches> fed_batches(const schema::LaunchRequest& request,
                                                         const data::Batch& resident, const device::Device& device,
                                                         schema::Launch& launch);

// Makes the batch that stays on DEVICE: the first batch of the files if there are files that are not fed,
// otherwise the synthetic one.
[[nodiscard]] data::Batch resident_batch(const schema::LaunchRequest& request, const device::Device& device,
                                         schema::Launch& launch);

}  // namespace mpsbench::worker
