#include "schema/purpose.hpp"

#include <algorithm>

namespace mpsbench::schema {

const PurposeRow& row_of(Purpose purpose) {
  return *std::find_if(kPurposes.begin(), kPurposes.end(),
                       [purpose](const PurposeRow& row) { return row.value == purpose; });
}

std::string to_string(Purpose purpose) {
  return std::string(row_of(purpose).name);
}

Purpose read_purpose(const base::Reader& reader) {
  const std::string name = reader.string();
  for (const PurposeRow& row : kPurposes) {
    if (row.name == name) return row.value;
  }
  throw reader.error("unknown purpose \"" + base::excerpt(name) + "\"");
}

}  // namespace mpsbench::schema
