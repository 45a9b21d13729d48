#include "cli/commands/output_file.hpp"

#include "base/atomic_file.hpp"
#include "run/places.hpp"

#include <cstdio>

namespace mpsbench::cli {
namespace {

constexpr const char* kStdout = "-";

}  // namespace

void require_output(const std::string& output) {
  if (output != kStdout) run::require_place(output, "--output");
}

void write_output(const std::string& output, const std::string& text) {
  if (output == kStdout) {
    std::fputs(text.c_str(), stdout);
  } else {
    base::write_file_atomically(output, text);
  }
}

}  // namespace mpsbench::cli
