// The processes that run a launch together: the place of each, its result, and how a launch or a process
// ended.
#pragma once

#include "base/json_reader.hpp"
#include "schema/closed_set.hpp"
#include "schema/device_id.hpp"
#include "schema/field_json.hpp"
#include "schema/sensor.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// How a case, a launch, or one process of a launch ended.
enum class Status { ok, oom, timeout, crashed, unsupported, failed, skipped, interrupted };

struct StatusRow {
  Status value;
  std::string_view name;
  std::string_view help;  // what users are told went wrong; empty: nothing did
};

template <>
struct ClosedSet<Status> {
  static constexpr const char* kWhat = "status";
  static constexpr std::array kRows{StatusRow{Status::ok, "ok", ""},
                                    StatusRow{Status::oom, "oom", "out of memory"},
                                    StatusRow{Status::timeout, "timeout", "timed out"},
                                    StatusRow{Status::crashed, "crashed", "crashed"},
                                    StatusRow{Status::unsupported, "unsupported", "not supported"},
                                    StatusRow{Status::failed, "failed", "failed"},
                                    StatusRow{Status::skipped, "skipped", "skipped"},
                                    StatusRow{Status::interrupted, "interrupted", "interrupted"}};
};
static_assert(is_whole<Status>());

struct Failure {
  std::string kind;     // "oom", "timeout", "signal", "exit", "protocol", "exception", "wrong_output", ...
  std::string message;  // one line for people to read
  std::string detail;   // the end of stderr, or the library's message
};

inline constexpr Field<Failure, std::string> kFailureFields[] = {
    {"kind", &Failure::kind, {"A short name: \"oom\", \"timeout\", \"signal\", \"exit\", ..."}},
    {"message", &Failure::message, {"One line for people to read."}},
    {"detail", &Failure::detail, {"The end of stderr, or the library's message."}},
};

template <>
struct Json<Failure> : ObjectJson<Failure, kFailureFields> {};

// The threads that really work on an operation, as a process counts them when it starts.
struct WorkingThreads {
  std::int64_t count = 0;
  std::string cpus{};  // that they may use: "0-3,8"; empty: the system does not say
};

inline constexpr Field<WorkingThreads, std::int64_t, std::string> kWorkingThreadsFields[] = {
    {"count", &WorkingThreads::count, {"Number of threads that worked on an operation for all threads."}},
    {"cpus", &WorkingThreads::cpus, {"The CPUs that they may use: \"0-3,8\"; empty: the system does not say."}},
};

template <>
struct Json<WorkingThreads> : ObjectJson<WorkingThreads, kWorkingThreadsFields> {};

// The place of a worker in the group of processes that run a launch together.

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

inline constexpr Field<GroupPlace, std::int64_t, std::string, double, std::optional<std::string>> kPlaceFields[] = {
    {"rank", &GroupPlace::rank},
    {"ranks", &GroupPlace::ranks, {.bounds = kFromOne}},
    {"address", &GroupPlace::address},
    {"port", &GroupPlace::port, {.bounds = kPort}},
    {"timeout_seconds", &GroupPlace::timeout_seconds},
    {"prefix", &GroupPlace::prefix},
};

template <>
struct Json<GroupPlace> : ObjectJson<GroupPlace, kPlaceFields> {
  static GroupPlace read(base::Reader reader, const FieldInfo& about) {
    GroupPlace place = ObjectJson::read(reader, about);
    if (place.rank >= place.ranks) throw reader.at("rank").error("must be less than ranks");
    return place;
  }
};

// The result of one of several processes that ran a launch together.

// The kind of failure of a process that could no longer reach another one.
inline constexpr const char* kLostRank = "lost_rank";

[[nodiscard]] inline bool is_lost_rank(const std::optional<Failure>& failure) {
  return failure && failure->kind == kLostRank;
}

struct RankResult {
  std::int64_t rank = 0;  // its number in the group, from 0
  DeviceId device;
  std::optional<std::string> device_name{};  // of a GPU, if its sensors can be read
  std::optional<std::string> host{};         // name of its machine; null: the report's
  Status status = Status::ok;
  std::optional<Failure> failure{};
  std::optional<double> first_step_seconds{};
  std::optional<WorkingThreads> working_threads{};  // only on the CPU
  std::optional<std::int64_t> peak_resident_bytes{};
  std::optional<std::int64_t> peak_device_bytes{};
  std::optional<std::int64_t> peak_reserved_bytes{};
  std::vector<double> samples_seconds{};         // its own windows, before the ranks took the largest of each
  std::optional<double> compute_step_seconds{};  // median step without averaging gradients
  // Those of rank 0 are the launch's.
  std::vector<SensorRecord> sensors{};
  std::map<std::string, std::string> sensor_notes{};
};

inline constexpr Field<RankResult, std::int64_t, DeviceId, Status, std::optional<Failure>, std::optional<double>,
                       std::optional<std::int64_t>, std::optional<std::string>, std::optional<WorkingThreads>,
                       std::vector<double>, std::vector<SensorRecord>, std::map<std::string, std::string>>
    kRankFields[] = {
        {"rank", &RankResult::rank, {"Number of the process in the group, from 0."}},
        {"device", &RankResult::device, {"The device that it ran on."}},
        {"device_name",
         &RankResult::device_name,
         {.meaning = "What its maker calls the GPU that it ran on.", .is_absent_when_empty = true}},
        {"host",
         &RankResult::host,
         {.meaning = "Name of the machine that it ran on; absent for the report's own.", .is_absent_when_empty = true}},
        {"status", &RankResult::status, {"How the process ended."}},
        {"failure", &RankResult::failure, {"Why it did not end well; null if it did."}},
        {"first_step_seconds", &RankResult::first_step_seconds, {"Time of its very first step.", "s", kTime}},
        {"working_threads",
         &RankResult::working_threads,
         {.meaning = "On the CPU: its threads that work, and on which CPUs.", .is_absent_when_empty = true}},
        {"peak_resident_bytes", &RankResult::peak_resident_bytes, {"Peak memory of the process.", "B"}},
        {"peak_device_bytes", &RankResult::peak_device_bytes, {"Peak memory of tensors on its device.", "B"}},
        {"peak_reserved_bytes",
         &RankResult::peak_reserved_bytes,
         {"Peak memory that its device's allocator reserved.", "B"}},
        {"samples_seconds",
         &RankResult::samples_seconds,
         {.meaning = "Seconds per step of its own windows; the launch has the largest of all ranks.",
          .unit = "s",
          .bounds = kTime,
          .is_absent_when_empty = true}},
        {"compute_step_seconds",
         &RankResult::compute_step_seconds,
         {.meaning = "Its median step when no gradients are averaged; absent if that was not measured.",
          .unit = "s",
          .bounds = kTime,
          .is_absent_when_empty = true}},
        {"sensors",
         &RankResult::sensors,
         {.meaning = "Readings of its GPU's sensors and, under a launcher, of its machine's; those of rank "
                     "0 are the launch's.",
          .is_absent_when_empty = true}},
        {"sensor_notes",
         &RankResult::sensor_notes,
         {.meaning = "For each of its sensors that could not be read, the reason.", .is_absent_when_empty = true}},
};

template <>
struct Json<RankResult> : ObjectJson<RankResult, kRankFields, "rank"> {};

}  // namespace mpsbench::schema
