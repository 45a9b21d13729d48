// "sgd:lr=0.1:momentum=0.9" and back.
#pragma once

#include "schema/case_spec.hpp"

#include <string>

namespace mpsbench::suite {

// Settings that TEXT does not name have PyTorch's defaults. Throws Error(usage).
[[nodiscard]] schema::OptimizerSpec parse_optimizer(const std::string& text);
// The shortest text that parse_optimizer turns into SPEC.
[[nodiscard]] std::string optimizer_text(const schema::OptimizerSpec& spec);

}  // namespace mpsbench::suite
