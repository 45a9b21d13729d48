// The processes that run a launch together: the place of each, its result, and how a launch or a process
// ended.
#pragma once

#include "schema/field_json.hpp"
#include "schema/sensor.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// How a case, a launch, or one process of a launch ended.
enum class Status { ok, oom, timeout, crashed, unsupported, failed, skipped, interrupted };

template <>
struct ClosedSet<Status> {
  static constexpr const char* kWhat = "status";
  static constexpr std::array kRows{HelpRow{Status::ok, "ok", ""},
                                    HelpRow{Status::oom, "oom", "out of memory"},
                                    HelpRow{Status::timeout, "timeout", "timed out"},
                                    HelpRow{Status::crashed, "crashed", "crashed"},
                                    HelpRow{Status::unsupported, "unsupported", "not supported"},
                                    HelpRow{Status::failed, "failed", "failed"},
                                    HelpRow{Status::skipped, "skipped", "skipped"},
                                    HelpRow{Status::interrupted, "interrupted", "interrupted"}};
};

struct Failure {
  std::string kind, message, detail;
};

template <>
inline constexpr auto kFields<Failure> =
    table(field<&Failure::kind>({"A short name: \"oom\", \"timeout\", \"signal\", \"exit\", ..."}),
          field<&Failure::message>({"One line for people to read."}),
          field<&Failure::detail>({"The end of stderr, or the library's message."}));

// The threads that really work on an operation, as a process counts them when it starts.
struct WorkingThreads {
  std::int64_t count = 0;
  std::string cpus{};
};

template <>
inline constexpr auto kFields<WorkingThreads> =
    table(field<&WorkingThreads::count>({"Number of threads that worked on an operation for all threads."}),
          field<&WorkingThreads::cpus>({"The CPUs that they may use: \"0-3,8\"; empty: the system does not say."}));

// If the group has a store of its own, rank 0's worker inherits a socket that listens on the group's port, so
// that no other program can take it.
inline constexpr int kGroupDescriptor = 4;

struct GroupPlace {
  std::int64_t rank = 0;   // from 0
  std::int64_t ranks = 1;  // processes of the group
  std::string address;     // where the store listens, through which the processes find each other
  std::int64_t port = 0;
  double timeout_seconds = 60;          // to meet the others
  std::optional<std::string> prefix{};  // of the group's keys in another process's store; null: rank 0's

  bool operator==(const GroupPlace&) const = default;
};

inline constexpr Bounds kPort{1, 65535};

template <>
inline constexpr auto kFields<GroupPlace> = table(
    field<&GroupPlace::rank>(), field<&GroupPlace::ranks>({.bounds = kFromOne}), field<&GroupPlace::address>(),
    field<&GroupPlace::port>({.bounds = kPort}), field<&GroupPlace::timeout_seconds>(), field<&GroupPlace::prefix>());

inline void check_read(const GroupPlace& place, base::Reader& reader) {
  if (place.rank >= place.ranks) throw reader.at("rank").error("must be less than ranks");
}

// The kind of failure of a process that could no longer reach another one.
inline constexpr const char* kLostRank = "lost_rank";

[[nodiscard]] inline bool is_lost_rank(const std::optional<Failure>& failure) {
  return failure && failure->kind == kLostRank;
}

struct RankResult {
  std::int64_t rank = 0;
  DeviceId device;
  std::optional<std::string> device_name{}, host{};
  Status status = Status::ok;
  std::optional<Failure> failure{};
  std::optional<double> first_step_seconds{};
  std::optional<WorkingThreads> working_threads{};
  std::optional<std::int64_t> peak_resident_bytes{}, peak_device_bytes{}, peak_reserved_bytes{};
  std::vector<double> samples_seconds{};
  std::optional<double> compute_step_seconds{};
  std::vector<SensorRecord> sensors{};
  std::map<std::string, std::string> sensor_notes{};
};

template <>
inline constexpr auto kFields<RankResult> = table(
    "rank", field<&RankResult::rank>({"Number of the process in the group, from 0."}),
    field<&RankResult::device>({"The device that it ran on."}),
    field<&RankResult::device_name>(absent_when_empty({"What its maker calls the GPU that it ran on."})),
    field<&RankResult::host>(absent_when_empty({"Name of the machine that it ran on; absent for the report's own."})),
    field<&RankResult::status>({"How the process ended."}),
    field<&RankResult::failure>({"Why it did not end well; null if it did."}),
    field<&RankResult::first_step_seconds>(seconds("Time of its very first step.")),
    field<&RankResult::working_threads>(absent_when_empty({"On the CPU: its threads that work, and on which CPUs."})),
    field<&RankResult::peak_resident_bytes>({"Peak memory of the process.", "B"}),
    field<&RankResult::peak_device_bytes>({"Peak memory of tensors on its device.", "B"}),
    field<&RankResult::peak_reserved_bytes>({"Peak memory that its device's allocator reserved.", "B"}),
    field<&RankResult::samples_seconds>(
        absent_when_empty(seconds("Seconds per step of its own windows; the launch has the largest of all ranks."))),
    field<&RankResult::compute_step_seconds>(
        absent_when_empty(seconds("Its median step when no gradients are averaged; absent if that was not measured."))),
    field<&RankResult::sensors>(
        absent_when_empty({"Readings of its GPU's sensors and, under a launcher, of its machine's; those of rank "
                           "0 are the launch's."})),
    field<&RankResult::sensor_notes>(
        absent_when_empty({"For each of its sensors that could not be read, the reason."})));

}  // namespace mpsbench::schema
