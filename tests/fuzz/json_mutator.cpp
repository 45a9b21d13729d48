// Mutations that keep JSON valid, so that they reach the code after a reader's parser. libFuzzer's own
// mutations, of bytes, are used, too. In a text of several lines, a journal, one line is changed.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using nlohmann::ordered_json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) {
  return random() % count;
}

const ordered_json& hostile_value(Random& random) {
  static const std::vector<ordered_json> kValues = [] {
    std::vector<ordered_json> values = ordered_json::parse(R"([
        null, true, false, 0, -0.0, 1, -1, 2, 64, 0.5, -0.5, 1e-300, 5e-324, 1e300, 1.7976931348623157e308, -1e300, 1e9,
        2147483647, 2147483648, 4294967296, 9223372036854775807, -9223372036854775808, 18446744073709551615,
        9007199254740993, "", " ", "x", "ok", "oom", "cpu", "cuda:0", "mlp", "train", "=1+1", "\u001b[2J", "\n",
        "</script>", "a/b/c/b1/d/e/f", "1-9999999999*2", "1e999", "$x", "{i}", "in", [], {}, [1, 2, 3], [null],
        [1e-9, 1e-9, 1e300], {"a": 1}])");
    values.insert(values.end(), {"\xF0", std::string(300, 'a')});
    return values;
  }();
  return kValues[below(random, kValues.size())];
}

void collect(ordered_json& value, std::vector<ordered_json*>& all) {
  all.push_back(&value);
  if (value.is_structured()) {
    for (ordered_json& inner : value) collect(inner, all);
  }
}

void change_number(ordered_json& value, Random& random) {
  constexpr std::array<double, 8> kFactors{-1, 0, 0.5, 2, 10, 1e6, 1e-6, 1e150};
  const double factor = kFactors[below(random, kFactors.size())];
  if (value.is_number_float() || below(random, 2) == 0) {
    value = value.get<double>() * factor;
  } else {
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.get<std::int64_t>()) + random() % 5 - 2);
  }
}

void change_inside(ordered_json& value, Random& random) {
  const std::size_t at = value.empty() ? 0 : below(random, value.size());
  if (value.empty()) {
    if (value.is_array()) value.push_back(hostile_value(random));
  } else if (value.is_array()) {
    if (below(random, 2) == 0) {
      value.erase(at);
    } else {
      value.insert(value.begin() + static_cast<std::ptrdiff_t>(at), ordered_json(value[below(random, value.size())]));
    }
  } else {
    const std::string key = std::next(value.begin(), static_cast<std::ptrdiff_t>(at)).key();
    ordered_json moved = value[key];
    value.erase(key);
    if (below(random, 2) == 0) value[key + "x"] = std::move(moved);
  }
}

void change(ordered_json& document, Random& random) {
  std::vector<ordered_json*> all;
  collect(document, all);
  ordered_json& value = *all[below(random, all.size())];
  switch (below(random, 4)) {
    case 0:
      value = hostile_value(random);
      break;
    case 1:
      value = ordered_json(*all[below(random, all.size())]);
      break;
    default:
      if (value.is_structured()) {
        change_inside(value, random);
      } else if (value.is_number()) {
        change_number(value, random);
      } else {
        value = hostile_value(random);
      }
  }
}

// Returns TEXT with a change, or an empty string if TEXT is not JSON.
std::string changed(std::string_view text, Random& random) {
  ordered_json document = ordered_json::parse(text, nullptr, false);
  if (document.is_discarded()) return {};
  for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) change(document, random);
  return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string changed_line(std::string_view text, Random& random) {
  std::size_t begin = below(random, text.size());
  begin = text.rfind('\n', begin) + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const std::string line = changed(text.substr(begin, end - begin), random);
  return line.empty() ? line : std::string(text.substr(0, begin)) + line + std::string(text.substr(end));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  if (size == 0 || below(random, 4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string result = changed(text, random);
  if (result.empty()) result = changed_line(text, random);
  if (result.empty() || result.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, result.data(), result.size());
  return result.size();
}
