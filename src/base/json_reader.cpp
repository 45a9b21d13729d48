#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace mpsbench::base {

namespace {

thread_local UnknownKeys* innermost_unknown_keys = nullptr;

// Describes VALUE for a message: "an object", "an array", "null", or the value itself, cut to 60 bytes.
std::string describe(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_null()) return "null";
  return excerpt(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 60);
}

std::string plain(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<std::int64_t>(value));
  return nlohmann::json(value).dump();
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

// Returns the number of typos between A and B: an extra, missing or wrong letter, or two neighbours swapped.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> above(row);
  std::vector<std::size_t> two_above(row);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// Returns the candidate with the least edit distance to WORD; nullopt: none is like a typo.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string small = in_small_letters(word);
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // The distance is at least the difference in length. Checking that first matters because an untrusted
    // WORD may be megabytes long.
    const std::size_t gap = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (gap >= best_distance) continue;
    const std::size_t distance = edit_distance(small, in_small_letters(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

// Returns the candidates that begin with WORD, the shortest first.
std::vector<std::string> beginning_with(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLeastLetters = 2;
  constexpr std::size_t kLongest = 60;  // the names of an untrusted file may be megabytes long
  constexpr std::size_t kMost = 4;
  std::vector<std::string> found;
  if (word.size() < kLeastLetters) return found;
  const std::string small = in_small_letters(word);
  for (const std::string& candidate : candidates) {
    if (candidate.size() <= kLongest && in_small_letters(candidate).starts_with(small)) found.push_back(candidate);
  }
  std::ranges::stable_sort(found, {}, &std::string::size);
  found.resize(std::min(found.size(), kMost));
  return found;
}

}  // namespace

UnknownKeys::UnknownKeys() : outer_(std::exchange(innermost_unknown_keys, this)) {}

UnknownKeys::~UnknownKeys() {
  innermost_unknown_keys = outer_;
}

bool UnknownKeys::note(const std::string& path) {
  if (innermost_unknown_keys == nullptr) return false;
  if (innermost_unknown_keys->count_++ == 0) innermost_unknown_keys->first_ = path;
  return true;
}

std::string UnknownKeys::words(const std::string& file) const {
  if (count_ == 0) return "";
  return file + " is of a newer version of mpsbench: " +
         (count_ == 1 ? "the key " + first_ + " is ignored"
                      : std::to_string(count_) + " keys are ignored, such as " + first_);
}

Reader::Reader(const nlohmann::json& value, std::string file, std::string path)
    : value_(&value),
      place_(std::make_shared<Place>(
          Place{.file = std::make_shared<const std::string>(std::move(file)), .text = std::move(path)})) {}

std::string Reader::path_of(const Place& place) {
  if (!place.parent) return place.text;
  const std::string parent = path_of(*place.parent);
  return place.key.data() == nullptr ? parent + "[" + std::to_string(place.index) + "]"
                                     : parent + "." + excerpt(place.key);
}

std::string Reader::path() const {
  return path_of(*place_);
}

Error Reader::error(const std::string& message) const {
  return usage_error(file() + ": " + path() + ": " + message);
}

bool Reader::is_object() const {
  return value_->is_object();
}
bool Reader::is_array() const {
  return value_->is_array();
}
bool Reader::is_string() const {
  return value_->is_string();
}
bool Reader::is_number() const {
  return value_->is_number();
}
bool Reader::is_null() const {
  return value_->is_null();
}

void Reader::require(bool ok, std::string_view expected) const {
  if (!ok) throw error("expected " + std::string(expected) + ", found " + describe(*value_));
}

bool Reader::has(std::string_view key) const {
  require(is_object(), "an object");
  return value_->contains(key);
}

Reader Reader::at(std::string_view key) {
  require(is_object(), "an object");
  const auto found = value_->find(key);
  if (found == value_->end()) {
    absent_.emplace_back(key);
    throw error("the key '" + excerpt(key) + "' is missing");
  }
  found_.emplace_back(found.key());
  return {*found, std::make_shared<Place>(Place{.parent = place_, .file = place_->file, .key = found.key()})};
}

std::optional<Reader> Reader::find(std::string_view key) {
  require(is_object(), "an object");
  const auto found = value_->find(key);
  if (found != value_->end() && !found->is_null()) return at(key);
  ignore(key);
  return std::nullopt;
}

std::vector<std::string> Reader::keys() const {
  require(is_object(), "an object");
  std::vector<std::string> names;
  for (const auto& [key, unused] : value_->items()) names.push_back(key);
  return names;
}

void Reader::ignore(std::string_view key) {
  require(is_object(), "an object");
  if (const auto found = value_->find(key); found != value_->end()) {
    found_.emplace_back(found.key());
  } else {
    absent_.emplace_back(key);
  }
}

void Reader::done() const {
  require(is_object(), "an object");
  for (auto member = value_->begin(); member != value_->end(); ++member) {
    const std::string& key = member.key();
    if (std::ranges::find(found_, key.data(), &std::string_view::data) != found_.end()) continue;
    std::set<std::string> known(found_.begin(), found_.end());
    known.insert(absent_.begin(), absent_.end());
    refuse_unknown(file(), path(), key, {known.begin(), known.end()});
  }
}

void Reader::refuse_unknown(const std::string& file, const std::string& path, std::string_view key,
                            const std::vector<std::string>& known) {
  if (UnknownKeys::note(path + "." + excerpt(key))) return;
  throw usage_error(file + ": " + path + ": unknown key '" + excerpt(key) + "'" + did_you_mean(key, known));
}

std::size_t Reader::size() const {
  require(is_array(), "an array");
  return value_->size();
}

Reader Reader::item(std::size_t index) const {
  require(is_array() && index < value_->size(), "an array with more items");
  return {(*value_)[index], std::make_shared<Place>(Place{.parent = place_, .file = place_->file, .index = index})};
}

std::string Reader::string() const {
  require(is_string(), "a string");
  return value_->get<std::string>();
}

bool Reader::boolean() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

double Reader::number() const {
  require(is_number() && std::isfinite(value_->get<double>()), "a number");
  return value_->get<double>();
}

double Reader::number(double min, double max) const {
  const double value = number();
  require(value >= min && value <= max, "a number from " + plain(min) + " to " + plain(max));
  return value;
}

std::int64_t Reader::integer(std::int64_t min, std::int64_t max) const {
  const std::string expected = "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  require(value_->is_number_integer(), expected);
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  require(!value_->is_number_unsigned() || value_->get<std::uint64_t>() <= kLargest, expected);
  const auto value = value_->get<std::int64_t>();
  require(value >= min && value <= max, expected);
  return value;
}

std::vector<std::int64_t> Reader::integers(std::int64_t min, std::int64_t max) const {
  std::vector<std::int64_t> values;
  for (const Reader& reader : items()) values.push_back(reader.integer(min, max));
  return values;
}

std::vector<double> Reader::numbers() const {
  std::vector<double> values;
  values.reserve(size());
  for (const nlohmann::json& element : *value_) {
    // This loop makes no reader per element, because each would build a path string, and a report has many
    // samples.
    const bool good = element.is_number() && std::isfinite(element.get<double>());
    values.push_back(good ? element.get<double>() : item(values.size()).number());
  }
  return values;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  std::vector<std::string> meant = beginning_with(word, candidates);
  if (meant.empty()) {
    const std::optional<std::string> near = nearest(word, candidates);
    if (!near) return "";
    meant.push_back(*near);
  }
  std::string text;
  for (std::size_t i = 0; i < meant.size(); ++i)
    text += (i == 0 ? "'" : i + 1 < meant.size() ? ", '" : " or '") + meant[i] + "'";
  return " (did you mean " + text + "?)";
}

}  // namespace mpsbench::base
