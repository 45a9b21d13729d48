#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::base {

bool is_utf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;  // the JSON writer refuses a string only if it is not UTF-8
  }
}

}  // namespace mpsbench::base
