#include "schema/gate_info.hpp"

#include <limits>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kSha256Digits = 64;

BaselineFile read_baseline(base::Reader reader) {
  BaselineFile file;
  file.path = reader.at("path").string();
  const base::Reader sha256 = reader.at("sha256");
  file.sha256 = sha256.string();
  if (file.sha256.size() != kSha256Digits ||
      file.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw sha256.error("expected 64 hexadecimal digits");
  reader.done();
  return file;
}

}  // namespace

ordered_json to_json(const GateInfo& gate) {
  ordered_json baseline;
  if (gate.baseline) baseline = {{"path", gate.baseline->path}, {"sha256", gate.baseline->sha256}};
  return {{"baseline", std::move(baseline)},
          {"alpha", gate.alpha},
          {"budget_seconds", gate.budget_seconds},
          {"fail_on_regression", gate.fail_on_regression},
          {"fail_on_undecided", gate.fail_on_undecided},
          {"force", gate.force},
          {"is_extended", gate.is_extended}};
}

GateInfo read_gate_info(base::Reader reader) {
  GateInfo gate;
  const base::Reader baseline = reader.at("baseline");
  if (!baseline.is_null()) gate.baseline = read_baseline(baseline);
  gate.alpha = reader.at("alpha").number(std::numeric_limits<double>::min(), 1);
  gate.budget_seconds = reader.at("budget_seconds").number(0, std::numeric_limits<double>::max());
  gate.fail_on_regression = reader.at("fail_on_regression").boolean();
  gate.fail_on_undecided = reader.at("fail_on_undecided").boolean();
  gate.force = reader.at("force").boolean();
  gate.is_extended = reader.at("is_extended").boolean();
  reader.done();
  return gate;
}

}  // namespace mpsbench::schema
