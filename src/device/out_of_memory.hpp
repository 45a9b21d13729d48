// LibTorch's words for memory that ran out.
#pragma once

#include <string>

namespace mpsbench::device {

[[nodiscard]] bool says_out_of_memory(const std::string& words);

// "out of memory (asked for 20.00 GiB, 1.20 GiB free); lower --batch-size" where WORDS tell these, else their
// first line.
[[nodiscard]] std::string out_of_memory_message(const std::string& words);

}  // namespace mpsbench::device
