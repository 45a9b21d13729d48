// The options of `run`, in one table. Each is an option of the command line and a key of the same name in a
// suite.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::suite {

enum class OptionGroup {
  workload,   // which work; may stand in a suite and in each of its matrices
  measuring,  // how it is measured; likewise
  output,     // what is shown and written; command line and top level of a suite
  command,    // command line only
};

enum class OptionKind { value, list, flag };

struct Option {
  std::string name;        // "batch-size"
  std::string short_name;  // "b" or empty
  std::string value_name;  // "N,..."; empty for a flag
  std::string help;
  OptionGroup group = OptionGroup::workload;
  OptionKind kind = OptionKind::value;
  // What is wrong with a text, or empty. Only its form: whether a model exists is asked later.
  std::function<std::string(const std::string&)> check;
};

[[nodiscard]] const std::vector<Option>& options();
// Null when there is no such option.
[[nodiscard]] const Option* find_option(std::string_view name);
[[nodiscard]] std::vector<std::string> option_names();
// The texts that OPTION, or an item of its list, may be; empty where they are no closed set.
[[nodiscard]] std::vector<std::string> choices_of(const Option& option);

}  // namespace mpsbench::suite
