#include "run/report_file.hpp"

#include "base/json_file.hpp"
#include "supervise/journal.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::run {

void refuse_journal(const std::string& file) {
  if (supervise::Journal::is_journal(file))
    throw base::usage_error(
        file + ": this is the journal of an unfinished run; finish it with mpsbench run --resume " + file +
        ", then use its report");
}

schema::Report read_report_file(const std::string& file) {
  refuse_journal(file);
  const nlohmann::json document = base::read_large_json_file(file);
  return schema::read_report(base::Reader(document, file));
}

}  // namespace mpsbench::run
