#include "schema/status.hpp"

namespace mpsbench::schema {

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
