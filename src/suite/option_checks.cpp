#include "suite/option_checks.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "schema/measure_spec.hpp"
#include "suite/case_filter.hpp"

#include <algorithm>
#include <regex>
#include <utility>

namespace mpsbench::suite {
namespace {

// These two have names, so that choices_of() finds them again.
struct OneOf {
  std::vector<std::string> names;

  std::string operator()(const std::string& text) const {
    const bool known = std::find(names.begin(), names.end(), text) != names.end();
    return known ? std::string() : "unknown value '" + text + "'; known: " + join(names);
  }
};

struct Each {
  Check check;

  std::string operator()(const std::string& text) const {
    const auto items = base::split_list(text);
    if (!items) return "expected at most 10,000 items between commas, found '" + text + "'";
    for (const std::string& item : *items) {
      if (const std::string problem = check(item); !problem.empty()) return problem;
    }
    return "";
  }
};

std::string no_share(const std::string& bounds, const std::string& text) {
  const double plain = base::parse_number(text).value_or(0);
  return "expected a share " + bounds + " such as 1% or 0.01, found '" + base::excerpt(text) + "'" +
         (plain >= 1 ? "; is " + base::excerpt(text) + "% meant?" : "");
}

}  // namespace

std::string join(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

Check any_text() {
  return [](const std::string& text) { return std::string(text.empty() ? "must not be empty" : ""); };
}

Check one_of(std::vector<std::string> names) {
  return OneOf{std::move(names)};
}

Check each(Check check) {
  return Each{std::move(check)};
}

std::vector<std::string> choices_of(const Check& check) {
  const auto* list = check.target<Each>();
  const auto* set = (list != nullptr ? list->check : check).target<OneOf>();
  return set != nullptr ? set->names : std::vector<std::string>{};
}

Check whole_number(std::int64_t min, std::int64_t max) {
  return [min, max](const std::string& text) -> std::string {
    const auto value = base::parse_whole_number(text);
    if (value && *value >= min && *value <= max) return "";
    const bool bounded = max != std::numeric_limits<std::int64_t>::max();
    return "expected a whole number " +
           (bounded ? "from " + std::to_string(min) + " to " + std::to_string(max)
                    : "of at least " + std::to_string(min)) +
           ", found '" + text + "'";
  };
}

Check batch_sizes() {
  return [](const std::string& text) {
    return text == "max" || base::parse_whole_number_list(text)
               ? std::string()
               : "expected sizes such as 1,8,32, a range such as 1-64*2 or max, found '" + text + "'";
  };
}

Check duration() {
  return [](const std::string& text) {
    return base::parse_duration_seconds(text)
               ? std::string()
               : "expected a duration such as 500ms, 8s or 2m, found '" + text + "'";
  };
}

Check positive_duration() {
  return [](const std::string& text) {
    return base::parse_duration_seconds(text).value_or(0) > 0
               ? std::string()
               : "expected a duration above zero such as 500ms, 8s or 2m, found '" + text + "'";
  };
}

Check ratio() {
  return [](const std::string& text) {
    return base::parse_ratio(text).value_or(0) > 0 ? std::string() : no_share("above zero", text);
  };
}

Check share(double least, double most) {
  return [least, most](const std::string& text) {
    const double value = base::parse_ratio(text).value_or(0);
    return value >= least && value <= most
               ? std::string()
               : no_share("above 0 and up to " + base::format_significant(most * 100, 2) + " %,", text);
  };
}

Check positive_number() {
  return [](const std::string& text) {
    return base::parse_number(text).value_or(0) > 0 ? std::string()
                                                    : "expected a number above zero, found '" + text + "'";
  };
}

Check probability() {
  return [](const std::string& text) {
    const auto value = base::parse_number(text);
    return value && *value >= 0 && *value < 1 ? std::string()
                                              : "expected a number from 0 to below 1, found '" + text + "'";
  };
}

Check warmup() {
  return [](const std::string& text) {
    return schema::parse_warmup(text)
               ? std::string()
               : "expected auto, a number of steps or a duration such as 2s, found '" + text + "'";
  };
}

Check host_name() {
  return [](const std::string& text) {
    const bool good = !text.empty() && text.size() <= 100 && text.front() != '.' &&
                      std::none_of(text.begin(), text.end(),
                                   [](unsigned char c) { return c == '/' || c < 0x20 || c == 0x7F; });
    return good ? std::string()
                : "expected up to 100 characters without '/', not beginning with '.', found '" +
                      base::excerpt(text) + "'";
  };
}

Check regular_expression() {
  constexpr std::size_t kLongest = 1000;  // the standard library's parser recurses
  return [](const std::string& text) -> std::string {
    if (text.size() > kLongest)
      return "a regular expression has at most " + std::to_string(kLongest) + " characters";
    try {
      (void)case_filter(text).mark_count();
      return {};
    } catch (const std::regex_error&) {
      return "'" + text + "' is not a regular expression";
    }
  };
}

}  // namespace mpsbench::suite
