#include "report/compare/remarks.hpp"

#include <algorithm>

namespace mpsbench::report {

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

void Topic::add(const std::optional<std::string>& value, const std::string& file) {
  if (!value || value->empty()) return;
  const auto same = std::ranges::find(said_, *value, &Said::value);
  if (same == said_.end()) {
    said_.push_back({*value, file, 0});
  } else {
    ++same->others;
  }
}

void Topic::append_to(Lines& lines) const {
  if (said_.size() < 2) return;
  std::string line = what_;
  for (const Said& one : said_) {
    line += (&one == &said_.front() ? " " : ", ") + one.value + " in " + one.file;
    if (one.others > 0) line += " and " + std::to_string(one.others) + " more";
  }
  lines.push_back(line);
}

}  // namespace mpsbench::report
