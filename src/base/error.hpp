// Errors that end a command, and the exit codes of design they map to. A failed launch is a result, not an
// Error.
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

// Chosen by what the caller has to do about it.
enum class ErrorKind {
  usage,           // an option or a file the user named is wrong
  no_device,       // nothing asked for can run here
  not_comparable,  // the reports are of different work or different machines
  incomplete,      // some launches failed or the report could not be written
  interrupted,     // the user stopped the run
  internal,        // a defect of ours
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// One line for the user: what is wrong, where, and the cure.
[[nodiscard]] inline Error usage_error(const std::string& message) {
  return {ErrorKind::usage, message};
}

// TEXT for a message: cut behind LONGEST bytes and without line breaks, so that a stranger's file cannot fill
// the screen or move the cursor.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t longest = 200);

[[nodiscard]] ExitCode exit_code(ErrorKind kind);

// Of two outcomes the one that the program reports: 130, 2, 3, 4, 1, 5, 0 in this order.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

}  // namespace mpsbench::base
