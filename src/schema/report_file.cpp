#include "schema/report_file.hpp"

#include "base/atomic_file.hpp"
#include "base/json_file.hpp"

namespace mpsbench::schema {

Report load_report(const std::filesystem::path& file) {
  const nlohmann::json document = base::read_large_json_file(file);
  return read_report(base::Reader(document, file.string()));
}

void save_report(const Report& report, const std::filesystem::path& file, const std::filesystem::path& like) {
  base::write_file(file, base::to_text(to_json(report), 1) + "\n", like);
}

}  // namespace mpsbench::schema
