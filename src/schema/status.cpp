#include "schema/status.hpp"

#include "schema/field_json.hpp"

#include <utility>

namespace mpsbench::schema {
namespace {

constexpr Field<Failure, std::string> kFailureFields[] = {
    {"kind", &Failure::kind, {"A short name: \"oom\", \"timeout\", \"signal\", \"exit\", ..."}},
    {"message", &Failure::message, {"One line for people to read."}},
    {"detail", &Failure::detail, {"The end of stderr, or the library's message."}},
};

using FailureJson = ObjectJson<Failure, kFailureFields>;

}  // namespace

nlohmann::ordered_json to_json(const Failure& failure) {
  return FailureJson::write(failure);
}

Failure read_failure(base::Reader reader) {
  return FailureJson::read(std::move(reader));
}

nlohmann::ordered_json failure_json_schema() {
  return FailureJson::schema();
}

}  // namespace mpsbench::schema
