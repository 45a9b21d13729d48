#include "cli/commands/doctor_compiler.hpp"

#include <string>

namespace mpsbench::cli {

Finding check_compiler(const DoctorFacts& facts) {
  constexpr const char* kSubject = "packages";
  if (!facts.compiler.empty())
    return {Finding::Level::good, kSubject, "--engine compiled can compile networks, with " + facts.compiler,
            ""};
  if (!facts.compiler_error)
    return {Finding::Level::note, kSubject, "unknown, because the worker does not start", ""};
  std::string text = *facts.compiler_error;
  if (text.find("; ") == std::string::npos)
    text += "; docs/compiled.md says what compiling needs; other engines do not need it";
  return finding_with_cure(Finding::Level::warning, kSubject, "--engine compiled cannot run: " + text);
}

}  // namespace mpsbench::cli
