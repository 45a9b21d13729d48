// The accuracy after the measured epochs, and the times that the articles' scripts print.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Returns sentences for people about the case's first good launch, or an empty text if no launch evaluated
// the network.
[[nodiscard]] std::string learned(const schema::CaseResult& result);

}  // namespace mpsbench::output
