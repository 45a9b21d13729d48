// The forms of option texts: what each text may be and which value it means.
#pragma once

#include "base/error.hpp"
#include "schema/closed_set.hpp"
#include "suite/option.hpp"
#include "suite/settings.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::suite {

template <typename Value>
struct Form {
  // Throws Error(usage) that says what is wrong with the text.
  std::function<Value(const std::string&)> parse;
  OptionKind kind = OptionKind::value;
  // For a closed set: every text that the option, or an item of its list, accepts.
  std::vector<std::string> choices = {};
  // For the JSON Schema of suites: a regular expression of the texts without anchors, likewise of the texts
  // in a list (empty: the same), and a schema of the numbers that are accepted as well (null: none).
  std::string pattern = {};
  std::string item_pattern = {};
  nlohmann::ordered_json numbers = {};

  // Like parse, but the message begins with ORIGIN: "ORIGIN: what is wrong".
  [[nodiscard]] Value read(const std::string& text, const std::string& origin) const;
};

// Returns the JSON Schema of what a key of a suite may have.
template <typename Value>
[[nodiscard]] nlohmann::ordered_json value_schema(const Form<Value>& form);
// Returns the pattern of a list of texts with the pattern ITEM.
[[nodiscard]] std::string list_pattern(const std::string& item);
// Returns the JSON Schema of texts with the pattern TEXT, or of NUMBERS unless that is null.
[[nodiscard]] nlohmann::ordered_json text_schema(const std::string& text, nlohmann::ordered_json numbers);

[[nodiscard]] Form<bool> flag();
// Any text that is not empty.
[[nodiscard]] Form<std::string> any_text();
[[nodiscard]] Form<std::string> one_of(const std::vector<std::string>& names);
template <schema::Closed Enum>
[[nodiscard]] Form<Enum> one_of();
// A list whose items are separated by commas.
template <typename Value>
[[nodiscard]] Form<std::vector<Value>> each(Form<Value> item);
[[nodiscard]] Form<std::int64_t> whole_number(std::int64_t min,
                                              std::int64_t max = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] Form<ParameterChange> parameter_change();
[[nodiscard]] Form<BatchSizes> batch_sizes();
// Whole numbers from MIN, 0 or 1, to MAX and ranges of those from 1.
[[nodiscard]] Form<std::vector<std::int64_t>> whole_numbers(std::int64_t min, std::int64_t max);
// The same, or the word all.
[[nodiscard]] Form<std::vector<GpuCount>> gpu_counts(std::int64_t max);
[[nodiscard]] Form<std::int64_t> byte_size();
// Gives the shortest form of the list.
[[nodiscard]] Form<std::string> cpu_list();
[[nodiscard]] Form<double> duration();
[[nodiscard]] Form<double> positive_duration();
[[nodiscard]] Form<double> ratio();
[[nodiscard]] Form<double> positive_number();
[[nodiscard]] Form<double> probability();
[[nodiscard]] Form<double> percentile();
// What a comparison judges, the smallest change that matters, and the accepted chance of a wrong verdict.
// `compare` has these options too, with the same help.
inline constexpr const char* kGateOnHelp =
    "what a comparison judges: step, latency-p99, first-token, peak-memory, energy; each may have a threshold of its "
    "own, as in step,peak-memory=1% (default: step)";
inline constexpr const char* kThresholdHelp = "smallest change of a case that matters in a comparison (default: 2%)";
inline constexpr const char* kAlphaHelp =
    "accepted chance of at least one false verdict (slower or faster) over all cases and metrics (default: 0.01)";
inline constexpr const char* kFailOnRegressionHelp =
    "exit with 1 when a case is slower, or worse in another metric of --gate-on";
[[nodiscard]] Form<std::vector<schema::GateOn>> gate_on();
[[nodiscard]] Form<double> threshold();
[[nodiscard]] Form<double> alpha();
[[nodiscard]] Form<schema::WarmupSpec> warmup();
[[nodiscard]] Form<InputShape> input_shape();
// A name that becomes part of the report's file name.
[[nodiscard]] Form<std::string> host_name();
[[nodiscard]] Form<std::string> regular_expression();

// Returns the error "ORIGIN: PROBLEM"; a long PROBLEM is cut.
[[nodiscard]] base::Error at_origin(const std::string& origin, const base::Error& problem);
// Returns the texts between the commas of LIST. An empty LIST counts as one empty item, so that the check of
// the item reports the error.
[[nodiscard]] std::vector<std::string> items_of(const std::string& list);

template <typename Value>
Value Form<Value>::read(const std::string& text, const std::string& origin) const {
  try {
    return parse(text);
  } catch (const base::Error& problem) {
    throw at_origin(origin, problem);
  }
}

template <schema::Closed Enum>
Form<Enum> one_of() {
  const Form<std::string> name = one_of(schema::names_of<Enum>());
  return {[name](const std::string& text) { return schema::parse_name<Enum>(name.parse(text)).value(); },
          OptionKind::value, name.choices, name.pattern};
}

template <typename Value>
Form<std::vector<Value>> each(Form<Value> item) {
  Form<std::vector<Value>> form;
  form.kind = OptionKind::list;
  form.choices = item.choices;
  form.item_pattern = list_pattern(item.item_pattern.empty() ? item.pattern : item.item_pattern);
  form.pattern = form.item_pattern;
  form.numbers = item.numbers;
  form.parse = [item = std::move(item)](const std::string& text) {
    std::vector<Value> values;
    for (const std::string& one : items_of(text)) values.push_back(item.parse(one));
    return values;
  };
  return form;
}

template <typename Value>
nlohmann::ordered_json value_schema(const Form<Value>& form) {
  if (form.kind == OptionKind::flag) return {{"type", "boolean"}};
  if (form.kind == OptionKind::value && !form.choices.empty()) return {{"enum", form.choices}};
  nlohmann::ordered_json one = text_schema(form.pattern, form.numbers);
  if (form.kind == OptionKind::value) return one;
  nlohmann::ordered_json items = text_schema(form.item_pattern, form.numbers);
  return {{"anyOf", {std::move(one), {{"type", "array"}, {"minItems", 1}, {"items", std::move(items)}}}}};
}

}  // namespace mpsbench::suite
