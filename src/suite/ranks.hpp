// How many processes run a case together: --ranks on the CPU, --gpus on NVIDIA GPUs.
#pragma once

#include "schema/case_spec.hpp"
#include "suite/resolve.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::suite {

// Throws Error(usage) if --ranks or --gpus is set but none of DEVICES is of its kind, if --gpus meets a GPU
// other than the first, or if options for several processes are set but nothing asks for several.
void require_used_ranks(const Settings& settings, const std::vector<schema::DeviceId>& devices, const Host& host);

// Returns each number of processes that is to run in MODE on DEVICE, once. By default, these are all that a
// launcher has started. Throws Error(usage) if it has started fewer.
[[nodiscard]] std::vector<std::int64_t> ranks_on(const schema::DeviceId& device, schema::Mode mode,
                                                 const Settings& settings, const Host& host);

// Returns the batch of each of RANKS processes on DEVICE if -b is BATCH_SIZE, or 0 if that is still to be
// found. Throws Error(usage) if they cannot share it, or if it cannot be found.
[[nodiscard]] std::int64_t batch_of_rank(std::int64_t batch_size, std::int64_t ranks, const schema::DeviceId& device,
                                         const Settings& settings);

// Throws Error(usage) if several processes cannot run the case together.
void require_fitting_ranks(const Settings& settings, const schema::CaseSpec& spec);

}  // namespace mpsbench::suite
