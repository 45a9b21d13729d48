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

char line_end_of(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos ? '\r' : '\n';
}

}  // namespace mpsbench::base
