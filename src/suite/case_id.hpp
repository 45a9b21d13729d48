// A case's name: what reports are paired by.
#pragma once

#include "model/definition.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>
#include <string>

namespace mpsbench::suite {

inline constexpr std::int64_t kDefaultWorkers = 2;  // as the articles' scripts have

// "vgg16/train/cpu/b32/fp32/eager/synthetic+channels-last=true": every option that is not at its default
// follows, sorted. DEFAULT_THREADS is what this machine would use unasked.
[[nodiscard]] std::string case_id(const schema::CaseSpec& spec, const model::Definition& definition,
                                  std::int64_t default_threads);

}  // namespace mpsbench::suite
