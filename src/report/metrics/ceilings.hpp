// What mpsbench-ops said, as ceilings, and the ceiling that a case is held against.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/ceiling.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// Of DEVICE, from Google Benchmark's JSON: the fastest of the products "matmul/DEVICE/PRECISION/..." and of
// the additions "add/DEVICE/...". Threads and the time of measuring belong to the caller. Throws Error(usage)
// for what is not such a document.
[[nodiscard]] schema::Ceiling read_ops_ceiling(base::Reader document, const schema::DeviceId& device);

// FLOP/s of the fastest product on SPEC's device, in its precision and by its threads; nullopt: not known.
[[nodiscard]] std::optional<double> flops_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                                  const schema::CaseSpec& spec);

// Threads make a CPU's ceiling; a GPU has one whatever they are.
[[nodiscard]] std::optional<std::int64_t> ceiling_threads(const schema::CaseSpec& spec);

}  // namespace mpsbench::report
