// Files that commands write where the user said.
#pragma once

#include <string>

namespace mpsbench::cli {

// Proves that the file of --output can be written, and makes its folder; "-" is stdout. Throws Error(usage).
void require_output(const std::string& output);
// Whole or not at all, or to stdout for "-". Throws Error(incomplete).
void write_output(const std::string& output, const std::string& text);

}  // namespace mpsbench::cli
