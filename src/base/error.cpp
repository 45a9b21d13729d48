#include "base/error.hpp"

#include <algorithm>
#include <array>

namespace mpsbench::base {

std::string excerpt(std::string_view text, std::size_t longest) {
  std::string shown(text.substr(0, longest));
  std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text.size() <= longest ? shown : shown + "...";
}

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {  // the compiler names a kind that is missing here
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::no_device:
      return ExitCode::no_device;
    case ErrorKind::not_comparable:
      return ExitCode::not_comparable;
    case ErrorKind::interrupted:
      return ExitCode::interrupted;
    case ErrorKind::incomplete:
    case ErrorKind::internal:
      return ExitCode::incomplete;
  }
  return ExitCode::incomplete;
}

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array kWorstFirst{
      ExitCode::interrupted, ExitCode::usage,      ExitCode::no_device, ExitCode::not_comparable,
      ExitCode::regression,  ExitCode::incomplete, ExitCode::ok};
  return *std::find_if(kWorstFirst.begin(), kWorstFirst.end(), [&](ExitCode code) { return code == a || code == b; });
}

}  // namespace mpsbench::base
