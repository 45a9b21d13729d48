// Measurements from a formula, which are the same on every machine.
#pragma once

#include "schema/messages.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace mpsbench::fake_worker {

// {"count": N, "cpus": TEXT}
[[nodiscard]] schema::WorkingThreads planted_threads(const nlohmann::json& threads);
[[nodiscard]] schema::LibtorchInfo planted_libtorch();
// Returns a machine with a usable CPU, without tf32 and graphs, and GPUS usable GPUs, and this build's
// version and commit, with another compiler.
[[nodiscard]] schema::ProbeEvent planted_probe(std::int64_t gpus);
// OPTIONS is the argument of "result", see script.hpp.
[[nodiscard]] schema::Launch planted_launch(const schema::CaseSpec& spec, const nlohmann::json& options);

}  // namespace mpsbench::fake_worker
