#include "schema/status.hpp"

#include <array>
#include <utility>

namespace mpsbench::schema {
namespace {

constexpr std::array<std::pair<Status, const char*>, 8> kStatusNames{{{Status::ok, "ok"},
                                                                      {Status::oom, "oom"},
                                                                      {Status::timeout, "timeout"},
                                                                      {Status::crashed, "crashed"},
                                                                      {Status::unsupported, "unsupported"},
                                                                      {Status::failed, "failed"},
                                                                      {Status::skipped, "skipped"},
                                                                      {Status::interrupted, "interrupted"}}};

}  // namespace

std::string to_string(Status status) {
  for (const auto& [value, name] : kStatusNames) {
    if (value == status) return name;
  }
  return "failed";
}

Status read_status(const base::Reader& reader) {
  const std::string text = reader.string();
  for (const auto& [value, name] : kStatusNames) {
    if (text == name) return value;
  }
  throw reader.error("unknown status \"" + text + "\"");
}

nlohmann::ordered_json to_json(const Failure& failure) {
  return {{"kind", failure.kind}, {"message", failure.message}, {"detail", failure.detail}};
}

Failure read_failure(base::Reader reader) {
  Failure failure;
  failure.kind = reader.at("kind").string();
  failure.message = reader.at("message").string();
  failure.detail = reader.at("detail").string();
  reader.done();
  return failure;
}

}  // namespace mpsbench::schema
