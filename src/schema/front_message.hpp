// The messages between the fronts of one run, which a launcher such as torchrun has started, one a rank.
#pragma once

#include "schema/device_id.hpp"
#include "schema/launch.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace mpsbench::schema {

// From rank 0, after the meeting: whether the fronts can measure together.
struct Admission {
  std::string refusal{};       // one line; empty if they can
  std::int64_t exit_code = 0;  // with which all end then
};

// From rank 0: each rank of the request's group runs its worker.
struct LaunchOrder {
  std::int64_t number = 0;  // counts the orders of a run
  double timeout_seconds = 0;
  std::string request;  // a LaunchRequest's line; each front fills in its own place in the group
};

// From rank 0: another rank of this launch has failed, so its workers end.
struct StopOrder {
  std::int64_t number = 0;
};

// From rank 0, the last message: all fronts end with this exit code.
struct EndOrder {
  std::int64_t exit_code = 0;
};

// To rank 0, when the worker of a launch has ended.
struct LaunchAnswer {
  std::int64_t number = 0;
  DeviceId device;  // that it ran on
  Launch launch;
};

// To rank 0, the last message.
struct Farewell {};

using FrontMessage = std::variant<Admission, LaunchOrder, StopOrder, EndOrder, LaunchAnswer, Farewell>;

// Returns one line, without the line break.
[[nodiscard]] std::string to_line(const FrontMessage& message);
// Throws base::Error(usage) if LINE is not a message of this version.
[[nodiscard]] FrontMessage parse_front_message(const std::string& line);

}  // namespace mpsbench::schema
