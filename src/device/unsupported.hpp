// LibTorch's words for what MPS does not have.
#pragma once

#include <string>

namespace mpsbench::device {

// Why the work cannot be done on the device, with the cure; empty when WORDS, an error's, say something else.
[[nodiscard]] std::string why_unsupported(const std::string& words);

}  // namespace mpsbench::device
