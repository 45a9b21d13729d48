// A case's id. Comparisons pair the cases of two reports by it.
#pragma once

#include "model/definition.hpp"
#include "schema/case_spec.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::suite {

inline constexpr std::int64_t kDefaultWorkers = 2;  // as in the articles' scripts

// Returns an id such as "vgg16/train/cpu/b32/fp32/eager/synthetic+channels-last=true". Every option that is
// not at its default follows, sorted by name. DEFAULT_THREADS is the number of threads that the case would
// have without --threads. SEARCHED stands for a batch size that is still to be found.
[[nodiscard]] std::string case_id(const schema::CaseSpec& spec, const model::Definition& definition,
                                  std::int64_t default_threads, std::optional<SearchedBatch> searched = {});

}  // namespace mpsbench::suite
