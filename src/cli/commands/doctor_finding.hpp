// What doctor found out about one subject, and the checks of single subjects.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::cli {

struct DoctorFacts;

struct Finding {
  enum class Level { good, note, warning, problem };  // note: neither good nor bad, or not known
  Level level = Level::note;
  std::string subject;
  std::string message;
  std::string cure;  // only of warnings and problems
};

// TEXT says what to do after its first "; ".
[[nodiscard]] Finding finding_with_cure(Finding::Level level, std::string subject, const std::string& text);

// Says whether --engine compiled can run here.
[[nodiscard]] Finding check_compiler(const DoctorFacts& facts);

// Names the variables that a report shows, and warns of each that makes networks slower. check_scaling()
// warns of NCCL's.
[[nodiscard]] std::vector<Finding> check_variables(const DoctorFacts& facts);

[[nodiscard]] bool is_of_nccl(const std::string& name);

// NAME=VALUE must make networks slower.
[[nodiscard]] Finding slow_variable(const std::string& name, const std::string& value);

[[nodiscard]] std::vector<Finding> check_threads(const DoctorFacts& facts);

}  // namespace mpsbench::cli
