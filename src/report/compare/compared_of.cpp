#include "report/compare/compared_of.hpp"

#include "base/json_file.hpp"

namespace mpsbench::report {

ComparedReport compared_of(const schema::Report& report, const std::string& file) {
  return parse_compared_report(base::to_text(schema::to_json(report)), file);
}

}  // namespace mpsbench::report
