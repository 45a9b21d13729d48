// What a network learned in the epochs that were measured, and the clocks that the articles' scripts print.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Sentences for a person, from the case's first good launch; empty where nothing was evaluated.
[[nodiscard]] std::string learned(const schema::CaseResult& result);

}  // namespace mpsbench::output
