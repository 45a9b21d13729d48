#include "cli/output_file.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"

#include <cstdio>
#include <system_error>

namespace mpsbench::cli {
namespace {

constexpr const char* kStdout = "-";

}  // namespace

void require_place(const std::filesystem::path& path, const std::string& option) {
  std::error_code error;
  if (!path.has_filename() ||
      (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))) {
    throw base::usage_error(option + ": " + path.string() + " is not a regular file; choose another place");
  }
  base::require_writable_place(path, option);
}

void require_output(const std::string& output) {
  if (output != kStdout) require_place(output, "--output");
}

void write_output(const std::string& output, const std::string& text) {
  if (output == kStdout) {
    std::fputs(text.c_str(), stdout);
  } else {
    base::write_file_atomically(output, text);
  }
}

}  // namespace mpsbench::cli
