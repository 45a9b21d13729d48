#include "output/console/plain.hpp"

#include "output/text/columns.hpp"
#include "output/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace mpsbench::output {
namespace {

std::string device_name(const schema::DeviceId& device) {
  std::string name = to_string(device);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string line(const schema::CaseResult& result) {
  const std::string device = device_name(result.spec.device);
  if (const auto& seconds = result.metrics.loop_seconds)
    return fmt::format("{} Time: {:.4f} seconds\n", device, *seconds);
  const std::string why = result.failure ? result.failure->message : "";
  if (why.find("device not found") != std::string::npos) return device + " device not found.\n";
  return device + ": " + printable(failure_words(result.status, result.failure)) + "\n";
}

}  // namespace

std::string plain_lines(const schema::Report& report) {
  std::string text;
  for (const schema::CaseResult& result : report.cases) text += line(result);
  return text;
}

}  // namespace mpsbench::output
