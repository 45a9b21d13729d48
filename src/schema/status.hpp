// How a launch, or one process of it, ended.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace mpsbench::schema {

enum class Status { ok, oom, timeout, crashed, unsupported, failed, skipped, interrupted };

[[nodiscard]] std::string to_string(Status status);
[[nodiscard]] Status read_status(const base::Reader& reader);

struct Failure {
  std::string kind;     // "oom", "timeout", "signal", "exit", "protocol", "exception", "wrong_output", ...
  std::string message;  // one line for a person
  std::string detail;   // tail of stderr, or the library's words
};

[[nodiscard]] nlohmann::ordered_json to_json(const Failure& failure);
[[nodiscard]] Failure read_failure(base::Reader reader);

}  // namespace mpsbench::schema
