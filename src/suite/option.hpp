// The table of all options of `run`. Each option can be given on the command line and, under the same name,
// as a key of a suite.
#pragma once

#include "suite/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::suite {

// The innermost place that may have an option. The places around it may have it, too.
enum class OptionPlace { matrix, suite, command_line };

enum class OptionKind { value, list, flag };

// Special treatment of an option by some commands and modes.
struct OptionTraits {
  OptionPlace place = OptionPlace::matrix;
  bool is_of_networks = false;           // has no effect if no network runs
  bool is_of_rows = false;               // has no effect on sequences that are generated
  bool is_of_generation = false;         // has an effect on nothing else
  bool is_of_files = false;              // has no effect without the files of a data set
  bool is_of_texts = false;              // has no effect unless they are texts
  bool is_of_images = false;             // has no effect unless they are images
  bool is_of_ranks = false;              // has no effect on a single process
  bool needs_gate = false;               // has no effect without --baseline or --versus
  bool is_refused_by_calibrate = false;  // `calibrate` measures only one thing and refuses it
  bool is_beside_resume = false;         // allowed together with --resume, because it does not change the plan
};

struct Option {
  std::string name;        // "batch-size"
  std::string short_name;  // "b" or empty
  std::string value_name;  // "N,..."; empty for a flag
  std::string help;
  std::string section;  // of --help: what a person wants to choose
  OptionKind kind = OptionKind::value;
  // For a closed set: every text that the option, or an item of its list, accepts.
  std::vector<std::string> choices;
  OptionTraits traits;
  bool is_conditional = false;  // has no effect on some cases

  // Returns the JSON Schema of its value in a suite.
  std::function<nlohmann::ordered_json()> schema;
  // Returns this option's setting.
  std::function<const AnySetting&(const Settings&)> in;
  // Sets it to the value that TEXT means. Checks only the form of TEXT; whether a model exists, for example,
  // is checked later. Throws Error(usage) "ORIGIN: what is wrong".
  std::function<void(Settings&, const std::string& text, const std::string& origin)> set;
  std::function<void(Settings&)> clear;
  // Copies the value from ABOVE if it is set there.
  std::function<void(Settings&, const Settings& above)> overlay;
  // Sets the case's member as the option says, or as is usual, if the option has an effect on the case. Null
  // if the option sets no member as it is.
  std::function<void(const Settings&, schema::CaseSpec&)> apply = nullptr;
};

[[nodiscard]] const std::vector<Option>& options();
// Sets the members of SPEC, whose coordinates and defaults are set, that options set as they are.
void apply_options(const Settings& settings, schema::CaseSpec& spec);
// Throws an error with the text WHY for the first option with TRAIT that is set.
void refuse_options(const Settings& settings, bool OptionTraits::* trait, const std::string& why);
// Returns null if there is no such option.
[[nodiscard]] const Option* find_option(std::string_view name);

}  // namespace mpsbench::suite
