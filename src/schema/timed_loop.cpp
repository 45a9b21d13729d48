#include "schema/timed_loop.hpp"

namespace mpsbench::schema {
namespace {

constexpr const char* kKey = "timed_loop";  // no network's definition has it

}  // namespace

nlohmann::json timed_loop_definition(const std::string& name) {
  return {{"name", name}, {kKey, true}};
}

bool is_timed_loop(const nlohmann::json& definition) {
  return definition.is_object() && definition.contains(kKey);
}

}  // namespace mpsbench::schema
