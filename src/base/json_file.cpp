#include "base/json_file.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

namespace mpsbench::base {
namespace {

using nlohmann::json;

// This is lower than kMaxJsonDepth, because reports and journals contain definitions three levels down.
constexpr int kMaxDefinitionDepth = 56;
constexpr std::uintmax_t kMaxDefinitionBytes = 4ULL << 20U;
constexpr std::uintmax_t kMaxReportBytes = 4ULL << 30U;

// Refuses deep nesting before the document is built: copying or printing such a tree would overflow the
// stack.
void require_shallow(std::string_view text, const std::string& name, int max_depth) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_depth)
        throw usage_error(name + ": nested deeper than " + std::to_string(max_depth) + " levels");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

// Returns the message of nlohmann::json without its prefix: "parse error at line 3, column 7: ...".
std::string syntax_message(const json::exception& error) {
  std::string text = error.what();
  const std::size_t end = text.find("] ");
  return excerpt(end == std::string::npos ? text : text.substr(end + 2));
}

// Stops at the first key that appears twice in one object. (The parser's own callback could do this, but its
// time is quadratic in the size of an array or object.)
class DuplicateKeys final : public json::json_sax_t {
 public:
  [[nodiscard]] const std::optional<std::string>& found() const { return found_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(json::number_integer_t) override { return true; }
  bool number_unsigned(json::number_unsigned_t) override { return true; }
  bool number_float(json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    return true;
  }
  bool key(std::string& name) override {
    if (keys_.back().insert(name).second) return true;
    found_ = name;
    return false;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  std::vector<std::set<std::string>> keys_;
  std::optional<std::string> found_;
};

json parse(std::string_view text, const std::string& name) {
  // The parser would take a NUL for the end of the text and ignore the rest.
  if (text.find('\0') != std::string_view::npos) throw usage_error(name + ": not valid JSON: it contains a NUL byte");
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::exception& error) {
    throw usage_error(name + ": not valid JSON: " + syntax_message(error));
  }
}

json parse_shallow(std::string_view text, const std::string& name, int max_depth) {
  require_shallow(text, name, max_depth);
  return parse(text, name);
}

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
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw usage_error(path.string() + ": no such file");
  if (!std::filesystem::is_regular_file(status)) throw usage_error(path.string() + ": not a regular file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > max_bytes) {
    throw usage_error(path.string() + ": " + std::to_string(size) + " bytes, more than the limit of " +
                      std::to_string(max_bytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(error ? 0 : size), '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size()))) {
    throw usage_error(path.string() + ": cannot be read: " + std::generic_category().message(errno));
  }
  return text;
}

json parse_json(std::string_view text, const std::string& name, int max_depth) {
  json value = parse_shallow(text, name, max_depth);
  DuplicateKeys duplicates;
  json::sax_parse(text.begin(), text.end(), &duplicates);
  if (duplicates.found()) {
    throw usage_error(name + ": the key " + excerpt(json(*duplicates.found()).dump()) + " appears twice in one object");
  }
  return value;
}

json read_json_file(const std::filesystem::path& path) {
  return parse_json(read_text_file(path, kMaxDefinitionBytes), path.string(), kMaxDefinitionDepth);
}

json parse_taken_json(std::string_view text, const std::string& name) {
  return parse(text, name);
}

json read_large_json_file(const std::filesystem::path& path) {
  return parse_shallow(read_large_text_file(path), path.string(), kMaxJsonDepth);
}

std::string read_large_text_file(const std::filesystem::path& path) {
  return read_text_file(path, kMaxReportBytes);
}

std::string to_text(const json& value, int indent) {
  return without_steering(value.dump(indent, ' ', false, json::error_handler_t::replace));
}

std::string to_text(const nlohmann::ordered_json& value, int indent) {
  return without_steering(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace mpsbench::base
