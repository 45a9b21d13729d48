#include "base/json_file.hpp"

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <vector>

namespace mpsbench::base {
namespace {

using nlohmann::json;

// This is lower than kMaxJsonDepth, because reports and journals contain definitions three levels down.
constexpr int kMaxDefinitionDepth = 56;
constexpr std::uintmax_t kMaxDefinitionBytes = 4ULL << 20U;
constexpr std::uintmax_t kMaxReportBytes = 4ULL << 30U;

// Returns the message of nlohmann::json without its prefix: "parse error at line 3, column 7: ...".
std::string syntax_problem(const json::exception& error) {
  const std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  return "not valid JSON: " + excerpt(end == std::string_view::npos ? text : text.substr(end + 2));
}

// Finds what is wrong with a text before a document is built: copying or printing a deep one would overflow the
// stack. (The parser's own callback could look for keys, but its time is quadratic in the size of an array or
// object.)
class Checks final : public json::json_sax_t {
 public:
  explicit Checks(int max_depth) : max_depth_(max_depth) {}

  [[nodiscard]] const std::string& problem() const { return problem_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(json::number_integer_t) override { return true; }
  bool number_unsigned(json::number_unsigned_t) override { return true; }
  bool number_float(json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_array(std::size_t) override { return start(); }
  bool end_array() override { return end(); }
  bool start_object(std::size_t) override { return start(); }
  bool end_object() override { return end(); }
  bool key(std::string& name) override {
    return keys_.back().insert(name).second ||
           fails("the key " + excerpt(json(name).dump()) + " appears twice in one object");
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    return fails(syntax_problem(error));
  }

 private:
  bool start() {
    keys_.emplace_back();
    return std::ssize(keys_) <= max_depth_ || fails("nested deeper than " + std::to_string(max_depth_) + " levels");
  }
  bool end() {
    keys_.pop_back();
    return true;
  }
  bool fails(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  int max_depth_;
  std::vector<std::set<std::string>> keys_;  // of the open objects; of an array: none
  std::string problem_;
};

// Escapes the characters that dump() leaves in strings and that would change how a terminal shows the text.
std::string without_steering(std::string text) {
  const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F; };
  if (std::all_of(text.begin(), text.end(), plain)) return text;
  std::string clean;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = first_code_point(rest);
    if (point.value >= 0x7F && steers_terminal(point.value)) {
      std::array<char, 12> escape{};
      // The values of all such characters fit into four digits.
      std::snprintf(escape.data(), escape.size(), "\\u%04x", point.value);
      clean += escape.data();
    } else {
      clean.append(rest.substr(0, point.bytes));
    }
    rest.remove_prefix(point.bytes);
  }
  return clean;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  const MappedFile file(path);
  if (file.text().size() > max_bytes)
    throw usage_error(path.string() + ": " + std::to_string(file.text().size()) + " bytes, more than the limit of " +
                      std::to_string(max_bytes));
  return std::string(file.text());
}

json parse_json(std::string_view text, const std::string& name, int max_depth) {
  Checks checks(max_depth);
  if (!json::sax_parse(text.begin(), text.end(), &checks)) throw usage_error(name + ": " + checks.problem());
  return parse_taken_json(text, name);
}

json parse_taken_json(std::string_view text, const std::string& name) {
  // The parser would take a NUL for the end of the text and ignore the rest.
  if (text.find('\0') != std::string_view::npos) throw usage_error(name + ": not valid JSON: it contains a NUL byte");
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::exception& error) {
    throw usage_error(name + ": " + syntax_problem(error));
  }
}

json read_json_file(const std::filesystem::path& path) {
  return parse_json(read_text_file(path, kMaxDefinitionBytes), path.string(), kMaxDefinitionDepth);
}

json read_large_json_file(const std::filesystem::path& path) {
  return parse_json(read_large_text_file(path), path.string());
}

std::string read_large_text_file(const std::filesystem::path& path) {
  return read_text_file(path, kMaxReportBytes);
}

std::string to_text(const nlohmann::ordered_json& value, int indent) {
  return without_steering(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace mpsbench::base
