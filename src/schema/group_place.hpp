// The place of a worker in the group of processes that run a launch together.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::schema {

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

[[nodiscard]] nlohmann::ordered_json to_json(const GroupPlace& place);
[[nodiscard]] GroupPlace read_group_place(base::Reader reader);

}  // namespace mpsbench::schema
