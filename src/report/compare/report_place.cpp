#include "report/compare/report_place.hpp"

#include "base/plain_json.hpp"
#include "base/unknown_keys.hpp"
#include "schema/report_keys.hpp"

#include <algorithm>
#include <limits>

namespace mpsbench::report {

std::string ReportPlace::path() const {
  if (parent_ == nullptr) return "$";
  return parent_->path() + (key_.empty() ? "[" + std::to_string(index_) + "]" : "." + std::string(key_));
}

base::Error ReportPlace::error(const std::string& message) const {
  return base::usage_error(*file_ + ": " + path() + ": " + message);
}

std::int64_t ReportPlace::count_of(std::string_view text) const {
  if (const auto value = base::plain_count(text)) return *value;
  return parse_text(text, [](const base::Reader& reader) {
    return reader.integer(0, std::numeric_limits<std::int64_t>::max());
  });
}

std::optional<std::int64_t> ReportPlace::count_or_null() const {
  const auto text = text_unless_null();
  return text ? std::optional(count_of(*text)) : std::nullopt;
}

std::string ReportPlace::string() const {
  const std::string_view text = cursor_->take();
  if (const auto value = base::plain_string(text)) return std::string(*value);
  return parse_text(text, [](const base::Reader& reader) { return reader.string(); });
}

std::optional<std::string_view> ReportPlace::text_unless_null() const {
  const std::string_view text = cursor_->take();
  return text == "null" ? std::nullopt : std::optional(text);
}

double ReportPlace::number_of(std::string_view text) const {
  if (const auto value = base::plain_number(text)) return *value;
  return parse_text(text, [](const base::Reader& reader) { return reader.number(); });
}

std::vector<double> ReportPlace::numbers_of(std::string_view text) const {
  if (auto values = base::plain_numbers(text)) return *std::move(values);
  return parse_text(text, [](const base::Reader& reader) { return reader.numbers(); });
}

void read_fields(const ReportPlace& place, std::initializer_list<PlaceField> fields, Others others) {
  std::vector<std::string_view> missing;
  missing.reserve(fields.size());
  for (const PlaceField& field : fields) {
    if (!field.may_be_missing) missing.push_back(field.key);
  }
  place.cursor().members([&](std::string_view key) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const PlaceField& candidate) { return candidate.key == key; });
    if (field == fields.end()) {
      if (others == Others::counted && !schema::is_report_key(key))
        base::UnknownKeys::note(place.at(key).path());
      return;
    }
    field->read(place.at(key));
    std::erase(missing, key);
  });
  if (!missing.empty()) throw place.error("the key '" + std::string(missing.front()) + "' is missing");
}

}  // namespace mpsbench::report
