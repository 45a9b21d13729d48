// Converts between optimizers and their text, "sgd:lr=0.1:momentum=0.9".
#pragma once

#include "schema/case_spec.hpp"

#include <string>

namespace mpsbench::suite {

// Settings that TEXT does not name keep PyTorch's defaults. Throws Error(usage).
[[nodiscard]] schema::OptimizerSpec parse_optimizer(const std::string& text);
// Returns the shortest text that parse_optimizer would turn into SPEC.
[[nodiscard]] std::string optimizer_text(const schema::OptimizerSpec& spec);

}  // namespace mpsbench::suite
