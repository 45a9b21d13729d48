#include "cli/commands/doctor_finding.hpp"

#include <utility>

namespace mpsbench::cli {

Finding finding_with_cure(Finding::Level level, std::string subject, const std::string& text) {
  const std::size_t end = text.find("; ");
  return {level, std::move(subject), text.substr(0, end),
          end == std::string::npos ? "" : text.substr(end + 2)};
}

}  // namespace mpsbench::cli
