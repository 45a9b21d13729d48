// Recognizes LibTorch's messages about running out of memory, and shortens them.
#pragma once

#include <string>

namespace mpsbench::device {

[[nodiscard]] bool says_out_of_memory(const std::string& words);

// Returns "out of memory (asked for 20.00 GiB, 1.20 GiB free); lower --batch-size" if WORDS contain these
// sizes; otherwise their first line.
[[nodiscard]] std::string out_of_memory_message(const std::string& words);

}  // namespace mpsbench::device
