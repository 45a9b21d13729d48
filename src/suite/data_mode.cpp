#include "suite/data_mode.hpp"

#include "suite/dataset_choice.hpp"
#include "suite/option.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::suite {
namespace {

// True if DEVICES names only the CPU, on which the pipeline runs, or auto, which may mean the CPU.
bool names_the_cpu(const std::vector<DeviceChoice>& devices) {
  const DeviceChoice cpu{DeviceChoice::Kind::one, schema::DeviceId(schema::DeviceKind::cpu)};
  return std::all_of(devices.begin(), devices.end(), [&](const DeviceChoice& choice) {
    return choice.kind == DeviceChoice::Kind::automatic || choice == cpu;
  });
}

}  // namespace

Settings heeded(const Settings& settings, schema::Mode mode) {
  Settings left = settings;
  if (mode != schema::Mode::data) return left;
  for (const Option& option : options()) {
    if (option.traits.is_of_networks) option.clear(left);
  }
  return left;
}

void check_data_mode(const Settings& settings) {
  const std::vector<schema::Mode> modes = settings.modes.value_or({});
  if (std::find(modes.begin(), modes.end(), schema::Mode::data) == modes.end()) return;
  if (!has_dataset(settings)) {
    throw settings.modes.error(
        "data times how the files of a data set become batches, but synthetic rows are "
        "not loaded from files; add --dataset NAME, or leave out data");
  }
  if (modes.size() > 1) return;
  Settings asked = settings;
  if (names_the_cpu(asked.devices.value_or({}))) asked.devices.clear();
  for (const Option& option : options()) {
    if (option.traits.is_of_networks && option.in(asked).is_on_command_line())
      throw option.in(asked).error("has no effect with --mode data, which runs no network; leave it out");
  }
}

}  // namespace mpsbench::suite
