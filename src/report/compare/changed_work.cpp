#include "report/compare/changed_work.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace mpsbench::report {
namespace {

std::string shown(const std::optional<std::string>& text) {
  return text && !text->empty() ? *text : "unknown";
}

// Describes the first data file whose contents differ. Returns an empty text if there is none. Reports of
// earlier releases do not name the files.
std::string changed_data(const schema::CaseSpec& before, const schema::CaseSpec& after,
                         const SideNames& sides) {
  constexpr std::size_t kShownDigits = 12;
  if (before.data_files.empty() || after.data_files.empty()) return "";
  std::map<std::string, std::string> names = before.data_files;
  names.insert(after.data_files.begin(), after.data_files.end());
  const auto shown_sum = [](const schema::CaseSpec& spec, const std::string& name) {
    const auto found = spec.data_files.find(name);
    return found == spec.data_files.end() ? "absent" : found->second.substr(0, kShownDigits);
  };
  for (const auto& [name, unused] : names) {
    const std::string one = shown_sum(before, name);
    const std::string other = shown_sum(after, name);
    if (one != other) return sides.remark("data file " + name + " (SHA-256)", one, other);
  }
  return "";
}

// Reports of earlier releases may lack this field, which had only one value then. As the ids are equal, so is
// the field.
template <typename T>
void take_as_told(const std::optional<T>& before, std::optional<T>& after) {
  if (!before || !after) after = before;
}

}  // namespace

std::string SideNames::remark(const std::string& what, const std::string& one,
                              const std::string& other) const {
  return what + " " + one + " " + first + ", " + other + " " + second;
}

void SideNames::tell(std::vector<std::string>& lines, const std::string& what,
                     const std::optional<std::string>& one, const std::optional<std::string>& other) const {
  if (one != other) lines.push_back(remark(what, shown(one), shown(other)));
}

std::string changed_work(const schema::CaseSpec& before, schema::CaseSpec after, const SideNames& sides) {
  after.threads = before.threads;
  after.interop_threads = before.interop_threads;
  after.affinity = before.affinity;
  after.workers = before.workers;
  after.device = before.device;
  if (std::string data = changed_data(before, after, sides); !data.empty()) return data;
  after.data_files = before.data_files;
  take_as_told(before.max_length, after.max_length);
  take_as_told(before.pad, after.pad);
  take_as_told(before.tokenize, after.tokenize);
  take_as_told(before.trec_labels, after.trec_labels);
  if (before == after) return "";
  const nlohmann::json keys_before = schema::to_json(before);
  const nlohmann::json keys_after = schema::to_json(after);
  for (const auto& [key, value] : keys_before.items()) {
    if (keys_after[key] != value) return sides.remark(key, value.dump(), keys_after[key].dump());
  }
  return "";
}

}  // namespace mpsbench::report
