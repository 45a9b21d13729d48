// JSON of Status and Failure, for tables that have such members.
#pragma once

#include "schema/field_json.hpp"
#include "schema/status.hpp"

namespace mpsbench::schema {

template <>
struct Json<Status> {
  static nlohmann::ordered_json write(Status status) { return to_string(status); }
  static Status read(const base::Reader& reader, const FieldInfo&) { return read_name<Status>(reader); }
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"$ref", "#/$defs/status"}}; }
};

template <>
struct Json<Failure> {
  static nlohmann::ordered_json write(const Failure& failure) { return to_json(failure); }
  static Failure read(const base::Reader& reader, const FieldInfo&) { return read_failure(reader); }
  static nlohmann::ordered_json schema(const FieldInfo&) { return failure_json_schema(); }
};

}  // namespace mpsbench::schema
