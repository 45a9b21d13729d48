#include "base/environment.hpp"

#include "base/error.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <regex>
#include <string_view>

#ifdef __APPLE__
#include <crt_externs.h>
#else
#include <unistd.h>
#endif

namespace mpsbench::base {

namespace {

constexpr std::array<std::string_view, 7> kHindering{"GOMP_CPU_AFFINITY", "GOMP_STACKSIZE", "KMP_AFFINITY",
                                                     "KMP_HW_SUBSET",     "KMP_STACKSIZE",  "OMP_PLACES",
                                                     "OMP_STACKSIZE"};

}  // namespace

char** environment() {
#ifdef __APPLE__
  return *_NSGetEnviron();  // no header of macOS declares environ
#else
  return environ;
#endif
}

std::string blame_openmp(const std::string& text, const std::string& cure) {
  std::string values;
  std::string names;
  for (char** entry = environment(); entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::string name(variable.substr(0, variable.find('=')));
    if (std::ranges::find(kHindering, name) == kHindering.end()) continue;
    values += (values.empty() ? "" : ", ") + excerpt(variable);
    names += (names.empty() ? "" : " and ") + name;
  }
  if (names.empty()) return "";
  return text + " (" + values + "); unset " + names + (cure.empty() ? "" : ", or " + cure);
}

void require_openmp_starts() {
  const char* value = std::getenv("GOMP_CPU_AFFINITY");
  if (value == nullptr) return;
  const std::regex cpus(R"([\s,]*((0[xX][\da-fA-F]+|\d+)(-(0[xX][\da-fA-F]+|\d+)(:\d+)?)?([\s,]+|$))*)");
  if (!std::regex_match(value, cpus))
    throw usage_error("GOMP_CPU_AFFINITY=" + excerpt(value) +
                      " is no list of CPUs such as \"0-3 8\" or \"0-7:2\", so programs with OpenMP may hang at "
                      "their start; unset GOMP_CPU_AFFINITY, or correct it");
}

}  // namespace mpsbench::base
