// What doctor found out about one subject.
#pragma once

#include <string>

namespace mpsbench::cli {

struct Finding {
  enum class Level { good, note, warning, problem };  // note: neither good nor bad, or not known
  Level level = Level::note;
  std::string subject;
  std::string message;
  std::string cure;  // only of warnings and problems
};

// TEXT says what to do after its first "; ".
[[nodiscard]] Finding finding_with_cure(Finding::Level level, std::string subject, const std::string& text);

}  // namespace mpsbench::cli
