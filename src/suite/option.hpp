// The options of `run`, in one table. Each is an option of the command line and a key of the same name in a
// suite.
#pragma once

#include "suite/settings.hpp"

#include <functional>
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

// What some commands and modes ask of an option.
struct OptionTraits {
  bool is_of_networks = false;           // means nothing where no network runs
  bool needs_gate = false;               // means nothing without --baseline or --versus
  bool is_refused_by_calibrate = false;  // which measures one thing alone
  bool is_beside_resume = false;         // may stand beside --resume: it changes only what is shown
};

struct Option {
  std::string name;        // "batch-size"
  std::string short_name;  // "b" or empty
  std::string value_name;  // "N,..."; empty for a flag
  std::string help;
  OptionGroup group = OptionGroup::workload;
  OptionKind kind = OptionKind::value;
  std::vector<std::string> choices;  // of a closed set: all that its text, or an item of its list, may be
  OptionTraits traits;

  // Its own setting among all.
  std::function<const AnySetting&(const Settings&)> in;
  // Sets it to what TEXT stands for. Only the form of TEXT is asked: whether a model exists is asked later.
  // Throws Error(usage) "ORIGIN: what is wrong".
  std::function<void(Settings&, const std::string& text, const std::string& origin)> set;
  std::function<void(Settings&)> clear;
  // Sets it as in ABOVE, if it is set there.
  std::function<void(Settings&, const Settings& above)> overlay;
};

[[nodiscard]] const std::vector<Option>& options();
// Null when there is no such option.
[[nodiscard]] const Option* find_option(std::string_view name);

}  // namespace mpsbench::suite
