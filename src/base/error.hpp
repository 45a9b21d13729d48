// Errors that end a command, and the exit codes that they map to. A failed launch is a result, not an Error.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace mpsbench::base {

// Exit codes of every mpsbench program, documented in docs/command-line.md.
enum class ExitCode {
  ok = 0,
  regression = 1,
  usage = 2,
  no_device = 3,
  not_comparable = 4,
  incomplete = 5,
  interrupted = 130,
};

// The kind says what the user can do about the error.
enum class ErrorKind {
  usage,           // a wrong option, or a mistake in a file that the user named
  no_device,       // none of what was asked for can run here
  not_comparable,  // the reports describe different work or different machines
  incomplete,      // some launches failed, or the report could not be written
  interrupted,     // the user stopped the run
  internal,        // a bug in mpsbench
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// MESSAGE is one line for the user: what is wrong, where, and what to do about it.
[[nodiscard]] inline Error usage_error(const std::string& message) {
  return {ErrorKind::usage, message};
}

// Returns TEXT made safe for a message: at most LONGEST bytes and no line breaks, so that text from an
// untrusted file cannot fill the screen or move the cursor.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t longest = 200);

[[nodiscard]] ExitCode exit_code(ErrorKind kind);

// Returns that one of two exit codes with which the program ends. The order of precedence is 130, 2, 3, 4, 1,
// 5, 0.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

// The first line of an error's message. LibTorch's messages have many.
[[nodiscard]] inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace mpsbench::base
