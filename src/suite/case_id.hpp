// Case ids: how they are made, and the filter that selects cases by them.
#pragma once

#include "model/definition.hpp"
#include "schema/case_spec.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <optional>
#include <regex>
#include <string>

namespace mpsbench::suite {

// Returns the case with the coordinates of SPEC (model, mode, device, batch, precision, engine, data set and
// ranks), with the defaults of DEFINITION and with THREADS, before any options.
[[nodiscard]] schema::CaseSpec default_spec(const schema::CaseSpec& spec, const model::Definition& definition,
                                            std::int64_t threads);

// Returns an id such as "vgg16/train/cpu/b32/fp32/eager/synthetic+channels-last=true". Every option that is
// not at its default follows, sorted by name. DEFAULT_THREADS is the number of threads that the case would
// have without --threads. SEARCHED stands for a batch size that is still to be found.
[[nodiscard]] std::string case_id(const schema::CaseSpec& spec, const model::Definition& definition,
                                  std::int64_t default_threads, std::optional<SearchedBatch> searched = {});

// --filter: a regular expression that selects cases by their ids. It may come from somebody else's suite, so
// matching must always end.
// Throws std::regex_error if PATTERN is not a regular expression. With GNU's library the number of matching
// steps is proportional to the lengths of pattern and id, which excludes back-references.
[[nodiscard]] std::regex case_filter(const std::string& pattern);

// Throws Error(usage) if the library gives up because matching is too complex.
[[nodiscard]] bool passes(const std::string& id, const std::regex& filter);

}  // namespace mpsbench::suite
