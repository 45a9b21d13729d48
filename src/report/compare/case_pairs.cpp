#include "report/compare/case_pairs.hpp"

#include "base/units.hpp"
#include "schema/case_spec.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>
#include <string_view>

namespace mpsbench::report {

namespace {

// The positions in PAIRS of a work's cases that have no partner yet.
struct Lonely {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

void pair_lonely(std::vector<CasePair>& pairs) {
  std::map<std::string, Lonely> works;
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    if (pairs[at].after == nullptr)
      works[without_own_options(pairs[at].before->id)].before.push_back(at);
    else if (pairs[at].before == nullptr)
      works[without_own_options(pairs[at].after->id)].after.push_back(at);
  }
  for (const auto& [work, lonely] : works) {
    if (lonely.before.size() != 1 || lonely.after.size() != 1) continue;
    pairs[lonely.before.front()].after = pairs[lonely.after.front()].after;
    pairs[lonely.after.front()] = {};
  }
  std::erase_if(pairs, [](const CasePair& one) { return one.before == nullptr && one.after == nullptr; });
}

// The keys of Launch::backend that say which precision was used.
constexpr const char* kPrecisionKeys[] = {"autocast", "matmul", "convolution"};

// Describes the first data file whose contents differ. Returns an empty text if there is none. Published
// figures do not name the files.
std::string changed_data(const schema::CaseSpec& before, const schema::CaseSpec& after, const SideNames& sides) {
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

// Returns the first difference in the work of two cases, or an empty text if there is none.
std::string changed_work(const schema::CaseSpec& before, const schema::CaseSpec& after, const SideNames& sides) {
  if (std::string data = changed_data(before, after, sides); !data.empty()) return data;
  for (const schema::SpecField& field : schema::kSpecFields) {
    const schema::SpecRole role = field.traits.role;
    if (role != schema::SpecRole::work && role != schema::SpecRole::told) continue;
    if (schema::is_equal(field, before, after)) continue;
    const nlohmann::json one = schema::value_json(field, before);
    const nlohmann::json other = schema::value_json(field, after);
    // As the ids are equal, so is what a side does not tell.
    if (role == schema::SpecRole::told && (one.is_null() || other.is_null())) continue;
    return sides.remark(field.key, one.dump(), other.dump());
  }
  return "";
}

// Between machines these settings stand beside the figures.
void compare_own_settings(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                          Grouped& caveats) {
  const auto shown = [](const nlohmann::json& value) {
    return value.is_null() ? "not set" : value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const schema::SpecField& field : schema::own_fields()) {
    const nlohmann::json one = schema::value_json(field, before.spec);
    const nlohmann::json other = schema::value_json(field, after.spec);
    if (one != other) caveats.add(sides.remark(field.traits.option, shown(one), shown(other)), before.id);
  }
}

// Clocks that somebody set are a condition of the measurement, so a difference is an obstacle. Otherwise the
// GPU chooses its clocks, and a difference is only a caveat.
void compare_gpu_clocks(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                        CaseRemarks& remarks) {
  constexpr double kAlike = 0.03;
  const GpuClock& one = before.gpu_clock;
  const GpuClock& other = after.gpu_clock;
  const bool is_set = one.is_set_by_hand.value_or(false) || other.is_set_by_hand.value_or(false);
  Grouped& lines = is_set ? remarks.obstacles : remarks.caveats;
  if (one.is_set_by_hand && other.is_set_by_hand && *one.is_set_by_hand != *other.is_set_by_hand) {
    const auto text = [](bool set) { return set ? "set by hand" : "automatic"; };
    lines.add(sides.remark("GPU clocks", text(*one.is_set_by_hand), text(*other.is_set_by_hand)), before.id);
  } else if (one.hertz && other.hertz && std::abs(*other.hertz - *one.hertz) > kAlike * *one.hertz) {
    lines.add("the GPU's clock differed by more than 3 % " + sides.second, before.id);
  }
}

}  // namespace

std::string without_own_options(const std::string& id) {
  return schema::CaseId(id).without_own_options().text();
}

std::vector<CasePair> case_pairs(const ComparedReport& before, const ComparedReport& after) {
  std::map<std::string_view, const ComparedCase*> left;
  for (const ComparedCase& result : after.cases) left[result.id] = &result;
  std::vector<CasePair> pairs;
  for (const ComparedCase& result : before.cases) {
    const auto found = left.find(result.id);
    pairs.push_back({&result, found == left.end() ? nullptr : found->second});
    if (found != left.end()) left.erase(found);
  }
  for (const ComparedCase& result : after.cases) {
    if (left.contains(result.id)) pairs.push_back({nullptr, &result});
  }
  pair_lonely(pairs);
  return pairs;
}

std::string SideNames::remark(const std::string& what, const std::string& one, const std::string& other) const {
  return what + " " + one + " " + first + ", " + other + " " + second;
}

void SideNames::tell(Lines& lines, const std::string& what, const std::optional<std::string>& one,
                     const std::optional<std::string>& other) const {
  const auto shown = [](const std::optional<std::string>& text) { return text && !text->empty() ? *text : "unknown"; };
  if (one != other) lines.push_back(remark(what, shown(one), shown(other)));
}

void Grouped::add(const std::string& remark, const std::string& id) {
  if (remark.empty()) return;
  Group& group = groups_[remark];
  if (group.count++ == 0) group.first = id;
}

void Grouped::append_to(Lines& lines) const {
  for (const auto& [remark, group] : groups_) {
    std::string line = remark + ": " + group.first;
    if (group.count > 1) line += " and " + std::to_string(group.count - 1) + " more";
    lines.push_back(std::move(line));
  }
}

void compare_work(const ComparedCase& before, const ComparedCase& after, const SideNames& sides, CaseRemarks& remarks) {
  if (before.published || after.published)
    return remarks.caveats.add(
        "published figures come from their authors' programs; only their description says that the work is "
        "the same",
        before.id);
  if (before.definition_sha256 != after.definition_sha256)
    remarks.obstacles.add("the network is different " + sides.second + " (definition_sha256)", before.id);
  if (before.spec != after.spec) remarks.obstacles.add(changed_work(before.spec, after.spec, sides), before.id);
  for (const auto& [key, value] : before.backend) {
    const auto found = after.backend.find(key);
    if (found == after.backend.end() || found->second == value) continue;
    const bool precision = std::ranges::find(kPrecisionKeys, key) != std::end(kPrecisionKeys);
    (precision ? remarks.obstacles : remarks.caveats).add(sides.remark(key, value, found->second), before.id);
  }
}

void compare_conditions(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                        CaseRemarks& remarks) {
  compare_work(before, after, sides, remarks);
  compare_own_settings(before, after, sides, remarks.caveats);
  compare_gpu_clocks(before, after, sides, remarks);
  if (!before.working_threads.empty() && !after.working_threads.empty() &&
      before.working_threads != after.working_threads)
    remarks.caveats.add(sides.remark("threads at work", before.working_threads, after.working_threads), before.id);
  if (before.max_launch_seconds && after.max_launch_seconds && *before.max_launch_seconds != *after.max_launch_seconds)
    remarks.caveats.add(sides.remark("longest launch", base::format_duration(*before.max_launch_seconds),
                                     base::format_duration(*after.max_launch_seconds)),
                        before.id);
}

}  // namespace mpsbench::report
