#include "output/console/case_words.hpp"

#include "base/counted.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace mpsbench::output {

using schema::CaseSpec;

std::string processes_text(const CaseSpec& spec) {
  const auto count = static_cast<std::size_t>(spec.ranks);
  return spec.device.kind == schema::DeviceKind::cuda ? "on " + base::counted(count, "GPU", "GPUs")
                                                      : "in " + base::counted(count, "process", "processes");
}

std::string distinguishing_words(const CaseSpec& spec, const std::vector<CaseSpec>& others) {
  const auto differs = [&](auto member) {
    return std::ranges::any_of(others, [&](const CaseSpec& other) { return other.*member != spec.*member; });
  };
  std::string text;
  if (differs(&CaseSpec::ranks)) text += " " + processes_text(spec);
  if (differs(&CaseSpec::batch_size)) text += fmt::format(" at batch {}", spec.batch_size);
  if (differs(&CaseSpec::threads) && !differs(&CaseSpec::ranks))
    text += " with " + base::counted(spec.threads, "thread", "threads");
  if (differs(&CaseSpec::precision)) text += " in " + to_string(spec.precision);
  if (differs(&CaseSpec::engine)) text += " with the engine " + to_string(spec.engine);
  if (differs(&CaseSpec::device)) text += " on " + to_string(spec.device);
  return text;
}

}  // namespace mpsbench::output
