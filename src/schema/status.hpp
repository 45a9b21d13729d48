// How a case, a launch, or one process of a launch ended.
#pragma once

#include "base/json_reader.hpp"
#include "schema/closed_set.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string>

namespace mpsbench::schema {

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

[[nodiscard]] nlohmann::ordered_json to_json(const Failure& failure);
[[nodiscard]] Failure read_failure(base::Reader reader);
[[nodiscard]] nlohmann::ordered_json failure_json_schema();

}  // namespace mpsbench::schema
