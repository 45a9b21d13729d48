// Recognizes LibTorch's messages about what MPS cannot do.
#pragma once

#include <string>

namespace mpsbench::device {

// WORDS is an error message. Returns why the device cannot do the work, and what to do about it. Returns an
// empty text if the message is about something else.
[[nodiscard]] std::string why_unsupported(const std::string& words);

}  // namespace mpsbench::device
