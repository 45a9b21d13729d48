#include "suite/data_mode.hpp"

#include "suite/dataset_choice.hpp"
#include "suite/device_names.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mpsbench::suite {
namespace {

const std::vector<std::string>& options_of_networks() {
  static const std::vector<std::string> kOptions{
      "device",    "precision", "engine", "channels-last",   "dropout",         "loss",
      "optimizer", "weights",   "input",  "dump-first-step", "freeze-backbone", "as-published"};
  return kOptions;
}

// A device that the pipeline runs on, or that may stand for it.
bool names_the_cpu(const Settings& settings) {
  const std::vector<std::string> devices = settings.list("device", {});
  return std::all_of(devices.begin(), devices.end(),
                     [](const std::string& name) { return name == kAutomatic || is_the_cpu(name); });
}

}  // namespace

Settings heeded(const Settings& settings, schema::Mode mode) {
  return mode == schema::Mode::data ? settings.without(options_of_networks()) : settings;
}

void check_data_mode(const Settings& settings) {
  const auto modes = settings.choices<schema::Mode>("mode", {});
  if (std::find(modes.begin(), modes.end(), schema::Mode::data) == modes.end()) return;
  if (!has_dataset(settings)) {
    throw settings.error("mode",
                         "data times how the files of a data set become batches, and nothing is loaded "
                         "for synthetic rows; add --dataset NAME, or leave data out");
  }
  if (modes.size() > 1) return;
  for (const std::string& name : options_of_networks()) {
    if (!settings.has(name) || !settings.origin(name).starts_with("--")) continue;
    if (name == "device" && names_the_cpu(settings)) continue;
    throw settings.error(name, "means nothing beside --mode data, where no network runs; leave it out");
  }
}

}  // namespace mpsbench::suite
