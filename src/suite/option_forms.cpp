#include "suite/option_forms.hpp"

#include "base/json_reader.hpp"
#include "base/system_files.hpp"
#include "base/units.hpp"
#include "model/parameters.hpp"
#include "schema/report.hpp"
#include "suite/case_id.hpp"
#include "suite/host.hpp"

#include <algorithm>
#include <initializer_list>
#include <regex>

namespace mpsbench::suite {
namespace {

// In bytes. The limit is needed because messages quote the refused text.
constexpr std::size_t kLongestProblem = 400;
constexpr double kLeastAlpha = 1e-9;
constexpr double kMostAlpha = 0.5;

std::string found(const std::string& text) {
  return text.empty() ? "found an empty value" : "found '" + text + "'";
}

using nlohmann::ordered_json;

constexpr const char* kNumber = "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?";
constexpr const char* kRange = "[0-9]+(-[0-9]+([*+][0-9]+)?)?";
constexpr std::int64_t kMostWhole = std::numeric_limits<std::int64_t>::max();

std::string duration_pattern() {
  return std::string(kNumber) + "(us|ms|s|m|h)?";
}
std::string share_pattern() {
  return std::string(kNumber) + "%?";
}

ordered_json whole_numbers_schema(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

// BOUNDS are key and value, such as {"minimum", 0}.
ordered_json numbers_schema(std::initializer_list<std::pair<const char*, double>> bounds) {
  ordered_json schema{{"type", "number"}};
  for (const auto& [key, value] : bounds) schema[key] = value;
  return schema;
}

// Says what JSON Schema should say of FORM.
template <typename Value>
Form<Value> described(Form<Value> form, std::string pattern, ordered_json numbers = nullptr,
                      std::string item_pattern = "") {
  form.pattern = std::move(pattern);
  form.numbers = std::move(numbers);
  form.item_pattern = item_pattern.empty() ? form.pattern : std::move(item_pattern);
  return form;
}

// Returns a form that accepts a text if PARSE returns a value and GOOD returns true for it. Otherwise it
// throws "expected WHAT, found ...".
template <typename Value, typename Parse, typename Good = bool (*)(const Value&)>
Form<Value> expected(const std::string& what, Parse parse, Good good = [](const Value&) { return true; }) {
  return {[what, parse, good](const std::string& text) -> Value {
    const std::optional<Value> value = parse(text);
    if (!value || !good(*value)) throw base::usage_error("expected " + what + ", " + found(text));
    return *value;
  }};
}

Form<double> share(const std::string& bounds, const std::function<bool(double)>& good) {
  return {[bounds, good](const std::string& text) {
    const std::optional<double> value = base::parse_ratio(text);
    if (value && good(*value)) return *value;
    const std::string quoted = base::excerpt(text);
    throw base::usage_error("expected a share " + bounds + " such as 1% or 0.01, " + found(quoted) +
                            (base::parse_number(text).value_or(0) >= 1 ? "; did you mean " + quoted + "%?" : ""));
  }};
}

Form<double> share(double least, double most) {
  return described(
      share("above 0 and up to " + base::format_significant(most * 100, 2) + " %,",
            [least, most](double value) { return value >= least && value <= most; }),
      share_pattern(),
      numbers_schema({{"minimum", least}, {most < 1 ? "maximum" : "exclusiveMaximum", std::min(most, 1.0)}}));
}

// Splits "a=1,2,b=3" into "a" with "1,2" and "b" with "3".
std::vector<std::pair<std::string, std::string>> lists_by_name(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> lists;
  for (const std::string& item : items_of(text)) {
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos) {
      lists.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    } else if (lists.empty()) {
      throw base::usage_error("'" + item + "' has no device, but others have; write DEVICE=" + item);
    } else {
      lists.back().second += ',' + item;
    }
  }
  return lists;
}

}  // namespace

std::string list_pattern(const std::string& item) {
  return "(" + item + ")(,(" + item + "))*";
}

ordered_json text_schema(const std::string& text, ordered_json numbers) {
  ordered_json schema = numbers.is_null() ? ordered_json{{"type", "string"}} : std::move(numbers);
  if (schema.at("type") != "string") schema["type"] = {schema.at("type"), "string"};
  schema["pattern"] = "^(" + text + ")$";
  return schema;
}

base::Error at_origin(const std::string& origin, const base::Error& problem) {
  return base::usage_error(origin + ": " + base::excerpt(problem.what(), kLongestProblem));
}

std::vector<std::string> items_of(const std::string& list) {
  if (list.empty()) return {list};
  if (auto items = base::split_list(list)) return std::move(*items);
  const bool has_empty = list.front() == ',' || list.back() == ',' || list.find(",,") != std::string::npos;
  throw base::usage_error(has_empty ? "an item of '" + list + "' is empty; remove the extra comma"
                                    : "expected at most 10,000 items separated by commas");
}

Form<bool> flag() {
  return {[](const std::string& text) { return text == "true"; }, OptionKind::flag};
}

Form<std::string> any_text() {
  const auto parse = [](const std::string& text) {
    if (text.empty()) throw base::usage_error("must not be empty");
    return text;
  };
  return described<std::string>({parse}, "[\\s\\S]+", {{"type", "number"}}, "[^,]+");
}

Form<std::string> one_of(const std::vector<std::string>& names) {
  const auto parse = [names](const std::string& text) {
    if (text.empty()) throw base::usage_error("must not be empty; known: " + base::join(names));
    if (std::find(names.begin(), names.end(), text) != names.end()) return text;
    if (text.find(',') != std::string::npos)
      throw base::usage_error("takes one value, not the list '" + text + "'; known: " + base::join(names));
    throw base::usage_error("unknown value '" + text + "'" + base::did_you_mean(text, names) +
                            "; known: " + base::join(names));
  };
  return {parse, OptionKind::value, names, base::join(names, "|")};
}

Form<std::int64_t> whole_number(std::int64_t min, std::int64_t max) {
  const bool bounded = max != std::numeric_limits<std::int64_t>::max();
  const std::string range =
      bounded ? "from " + std::to_string(min) + " to " + std::to_string(max) : "of at least " + std::to_string(min);
  return described(expected<std::int64_t>("a whole number " + range, base::parse_whole_number,
                                          [min, max](std::int64_t value) { return value >= min && value <= max; }),
                   min == 0 ? "[0-9]+" : "0*[1-9][0-9]*", whole_numbers_schema(min, max));
}

Form<BatchSizes> batch_sizes() {
  const auto parse = [](const std::string& text) -> std::optional<BatchChoice> {
    if (text == "max") return BatchChoice{SearchedBatch::max, {}};
    if (text == "best") return BatchChoice{SearchedBatch::best, {}};
    auto sizes = base::parse_whole_number_list(text);
    return sizes ? std::optional(BatchChoice{std::nullopt, std::move(*sizes)}) : std::nullopt;
  };
  const Form<BatchChoice> choice = expected<BatchChoice>(
      "sizes such as 1,8,32, a range such as 1-64*2, max or best, or those of each device such as cpu=8,32,cuda=64",
      parse);
  const auto parse_all = [choice](const std::string& text) {
    if (text.find('=') == std::string::npos) return BatchSizes{choice.parse(text)};
    BatchSizes all;
    for (const auto& [name, sizes] : lists_by_name(text)) {
      const DeviceChoice device = parse_device(name);
      if (device.kind != DeviceChoice::Kind::one)
        throw base::usage_error("'" + name + "' is no device of its own; name each, such as cpu=8,cuda=64");
      if (std::ranges::count(all.by_device, device.device, &std::pair<schema::DeviceId, BatchChoice>::first) > 0)
        throw base::usage_error("names " + name + " twice");
      all.by_device.emplace_back(device.device, choice.parse(sizes));
    }
    return all;
  };
  const std::string listed = list_pattern(kRange) + "|[a-z]+(:[0-9]+)?=(max|best|[0-9].*)(,.*)?";
  return described<BatchSizes>({parse_all, OptionKind::list}, "max|best|" + listed, whole_numbers_schema(1, kMostWhole),
                               listed);
}

Form<std::vector<std::int64_t>> whole_numbers(std::int64_t min, std::int64_t max) {
  using Numbers = std::vector<std::int64_t>;
  const auto parse = [min](const std::string& text) -> std::optional<Numbers> {
    Numbers all;
    for (const std::string& item : items_of(text)) {
      const bool is_zero = min == 0 && item == "0";
      const auto numbers = is_zero ? std::optional(Numbers{0}) : base::parse_whole_number_list(item);
      if (!numbers) return std::nullopt;
      all.insert(all.end(), numbers->begin(), numbers->end());
    }
    return all;
  };
  Form<Numbers> form = expected<Numbers>(
      "whole numbers from " + std::to_string(min) + " to " + std::to_string(max) + " such as 1,2,4 or 1-8*2", parse,
      [max](const Numbers& numbers) { return std::ranges::max(numbers) <= max; });
  form.kind = OptionKind::list;
  const std::string item = std::string(min == 0 ? "0|" : "") + kRange;
  return described(form, list_pattern(item), whole_numbers_schema(min, max));
}

Form<std::vector<GpuCount>> gpu_counts(std::int64_t max) {
  const Form<std::vector<std::int64_t>> numbers = whole_numbers(1, max);
  const auto parse = [numbers](const std::string& text) {
    std::vector<GpuCount> counts;
    for (const std::string& item : items_of(text)) {
      if (item == "all") {
        counts.emplace_back();
        continue;
      }
      try {
        for (const std::int64_t number : numbers.parse(item)) counts.emplace_back(number);
      } catch (const base::Error& error) {
        throw base::usage_error(std::string(error.what()) + "; all means every usable GPU");
      }
    }
    return counts;
  };
  return described<std::vector<GpuCount>>({parse, OptionKind::list}, list_pattern(std::string("all|") + kRange),
                                          whole_numbers_schema(1, max));
}

Form<std::int64_t> byte_size() {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
  return described(expected<std::int64_t>("a size such as 25MiB, 512KiB or a number of bytes", base::parse_byte_size),
                   "[0-9]+([KMG]iB)?", whole_numbers_schema(1, kMostBytes));
}

Form<std::string> cpu_list() {
  const auto parse = [](const std::string& text) -> std::optional<std::string> {
    const auto cpus = base::parse_cpu_list(text);
    return cpus ? std::optional(base::format_cpu_list(*cpus)) : std::nullopt;
  };
  Form<std::string> form = expected<std::string>("numbers of CPUs such as 0-3,8", parse);
  form.kind = OptionKind::list;
  constexpr std::int64_t kMostCpu = 65'535;
  return described(form, list_pattern("[0-9]+(-[0-9]+)?"), whole_numbers_schema(0, kMostCpu));
}

Form<double> duration() {
  return described(expected<double>("a duration such as 500ms, 8s or 2m", base::parse_duration_seconds),
                   duration_pattern(), numbers_schema({{"minimum", 0}, {"maximum", schema::kMostSeconds}}));
}

Form<double> positive_duration() {
  return described(expected<double>("a duration above zero such as 500ms, 8s or 2m", base::parse_duration_seconds,
                                    [](double seconds) { return seconds > 0; }),
                   duration_pattern(), numbers_schema({{"exclusiveMinimum", 0}, {"maximum", schema::kMostSeconds}}));
}

Form<double> ratio() {
  return described(share("above zero", [](double value) { return value > 0; }), share_pattern(),
                   numbers_schema({{"exclusiveMinimum", 0}, {"exclusiveMaximum", 1}}));
}

Form<std::vector<schema::GateOn>> gate_on() {
  const Form<schema::GatedMetric> name = one_of<schema::GatedMetric>();
  const Form<schema::GateOn> item{[name](const std::string& text) {
                                    const std::size_t equals = std::min(text.find('='), text.size());
                                    schema::GateOn gate{name.parse(text.substr(0, equals)), std::nullopt};
                                    if (equals < text.size())
                                      gate.threshold = threshold().parse(text.substr(equals + 1));
                                    return gate;
                                  },
                                  OptionKind::value, name.choices};
  Form<std::vector<schema::GateOn>> form = each(item);
  form.pattern = list_pattern("(" + name.pattern + ")(=" + share_pattern() + ")?");
  form.item_pattern = form.pattern;
  form.parse = [each_item = form.parse](const std::string& text) {
    const std::vector<schema::GateOn> gates = each_item(text);
    for (const schema::GateOn& gate : gates) {
      if (std::ranges::count(gates, gate.metric, &schema::GateOn::metric) > 1)
        throw base::usage_error("names " + to_string(gate.metric) + " twice");
    }
    return gates;
  };
  return form;
}

Form<double> threshold() {
  return share(schema::kLeastThreshold, schema::kMostThreshold);
}

Form<double> alpha() {
  return share(kLeastAlpha, kMostAlpha);
}

Form<double> positive_number() {
  return described(expected<double>("a number above zero", base::parse_number, [](double value) { return value > 0; }),
                   kNumber, numbers_schema({{"exclusiveMinimum", 0}}));
}

Form<double> probability() {
  return described(expected<double>("a number from 0 to below 1", base::parse_number,
                                    [](double value) { return value >= 0 && value < 1; }),
                   kNumber, numbers_schema({{"minimum", 0}, {"exclusiveMaximum", 1}}));
}

Form<double> percentile() {
  constexpr double kLeast = 0.001;
  return described(expected<double>("percentiles from 0.001 to 99.999 such as 50,99.9", base::parse_number,
                                    [](double value) { return value >= kLeast && value <= 100 - kLeast; }),
                   kNumber, numbers_schema({{"minimum", kLeast}, {"maximum", 100 - kLeast}}));
}

Form<schema::WarmupSpec> warmup() {
  return described(
      expected<schema::WarmupSpec>("auto, a number of steps or a duration such as 2s", schema::parse_warmup),
      std::string("auto|[0-9]+|") + kNumber + "(us|ms|s|m|h)", whole_numbers_schema(0, kMostWhole));
}

Form<InputShape> input_shape() {
  return described(
      expected<InputShape>("sizes without the batch such as 3x224x224, or 128:30522 for whole numbers below 30522",
                           parse_input_shape),
      "[0-9]+(x[0-9]+){0,5}(:[0-9]+)?", whole_numbers_schema(1, std::numeric_limits<std::int32_t>::max()));
}

Form<ParameterChange> parameter_change() {
  const auto parse = [](const std::string& text) {
    const std::size_t equals = text.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : base::parse_number(text.substr(equals + 1));
    const std::string name = text.substr(0, equals);
    if (!value || !model::is_identifier(name))
      throw base::usage_error("expected NAME=NUMBER, as in layers=4, " + found(base::excerpt(text)));
    return ParameterChange{name, *value};
  };
  return described<ParameterChange>({parse}, "[A-Za-z0-9_]+=-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?", {});
}

Form<std::string> host_name() {
  const auto parse = [](const std::string& text) {
    const bool good =
        !text.empty() && text.size() <= 100 && text.front() != '.' &&
        std::none_of(text.begin(), text.end(), [](unsigned char c) { return c == '/' || c < 0x20 || c == 0x7F; });
    if (good) return text;
    throw base::usage_error("expected up to 100 characters without '/', not beginning with '.', " +
                            found(base::excerpt(text)));
  };
  return described<std::string>({parse}, "[^./\\u0000-\\u001f\\u007f][^/\\u0000-\\u001f\\u007f]{0,99}",
                                {{"type", "number"}});
}

Form<std::string> regular_expression() {
  static constexpr std::size_t kLongest = 1000;  // because the standard library's parser is recursive
  const auto parse = [](const std::string& text) {
    if (text.empty()) throw base::usage_error("must not be empty; leave it out to run all cases");
    if (text.size() > kLongest)
      throw base::usage_error("a regular expression may have at most " + std::to_string(kLongest) + " characters");
    try {
      (void)case_filter(text).mark_count();
      return text;
    } catch (const std::regex_error&) {
      throw base::usage_error("'" + text + "' is not a regular expression");
    }
  };
  return described<std::string>({parse}, "[\\s\\S]{1," + std::to_string(kLongest) + "}", {{"type", "number"}});
}

}  // namespace mpsbench::suite
