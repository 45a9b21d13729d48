// The accuracy after the measured epochs, and the times that the articles' scripts print.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Sentences for people about the case's first good launch; empty if no launch evaluated the network.
[[nodiscard]] std::string learned(const schema::CaseResult& result);

}  // namespace mpsbench::output
