// The machine that cases are planned for: its CPUs, its launcher, and its devices as users name them.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/device_status.hpp"
#include "suite/option_values.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::suite {

// The CPUs that this process may use. There are none if the system cannot bind processes to CPUs.
struct Cpus {
  std::vector<int> usable;
  // Returns the number of cores behind some of them.
  std::function<std::int64_t(const std::vector<int>&)> cores;
};

// Returns why LIST, such as "0-3,8", cannot be used here. Returns an empty text if it can.
[[nodiscard]] std::string why_unusable(const std::string& list, const Cpus& cpus);

// Returns the number of cores behind the CPUs of LIST.
[[nodiscard]] std::int64_t cores_of(const std::string& list, const Cpus& cpus);

struct LaunchedRanks {
  std::string launcher;
  std::int64_t ranks = 1;
  std::int64_t sharing = 1;      // those that share the cores of this machine; 1: each has its own
  std::int64_t local_rank = 0;   // of this process, among those on this machine
  std::int64_t local_ranks = 1;  // on this machine
};

// The devices that the worker found. The function is called only when its answer matters (for a device other than the
// CPU, or for a precision or engine that not every device has), because the worker must start LibTorch to find out.
using DeviceList = std::function<const std::vector<schema::DeviceStatus>&()>;

// Facts about the machine that a case depends on.
struct Host {
  std::int64_t default_threads = 1;
  std::int64_t memory_bytes = 0;
  DeviceList devices;
  std::optional<Cpus> cpus{};                  // null: not known, so that any CPU will do
  std::optional<LaunchedRanks> launched = {};  // null: mpsbench starts the processes of a case itself
};

// Returns what --device accepts: "auto", the name of every device, "cuda:N" for further ones, and "all".
[[nodiscard]] std::vector<std::string> device_words();
// Returns those values of device_words() that can be typed as they are, for shell completion.
[[nodiscard]] std::vector<std::string> device_completions();
// Returns a regular expression of what --device accepts; it also accepts indices that are too large.
[[nodiscard]] std::string device_pattern();

// Parses NAME. Throws Error(usage) if it is none of these values. The message helps with other common names
// ("gpu", "nvidia") and with an index for a kind of device that has only one.
[[nodiscard]] DeviceChoice parse_device(const std::string& name);

// Returns the devices that CHOICES mean, each once. auto is the first usable device of the highest rank; all
// is the CPU and every usable GPU.
[[nodiscard]] std::vector<schema::DeviceId> resolve_devices(const std::vector<DeviceChoice>& choices,
                                                            const DeviceList& devices);

// Returns how many devices of KIND are usable here, from the first one without a gap.
[[nodiscard]] std::int64_t usable_count(schema::DeviceKind kind, const DeviceList& devices);

// Returns the device of KIND that this one of the LAUNCHED processes uses: the one with its number on this
// machine or, if it sees only one, that one.
[[nodiscard]] schema::DeviceId own_device(schema::DeviceKind kind, const DeviceList& devices,
                                          const LaunchedRanks& launched);

// Returns why a case cannot be measured here, and what to do about it: its device, or one for each rank, is missing, or
// the device lacks its precision or engine. If a launcher has started the ranks, they may be on other machines, and
// this process only needs its own device. Returns an empty text if the worker reports no obstacle.
[[nodiscard]] std::string why_unsupported(const schema::CaseSpec& spec, const DeviceList& devices,
                                          const std::optional<LaunchedRanks>& launched = {});

}  // namespace mpsbench::suite
