// Fuzzes reports: reads, writes and reads them again, and exports them in every format.
#include "base/json_file.hpp"
#include "fuzz/harness.hpp"
#include "output/console/console_table.hpp"
#include "output/export/export_formats.hpp"
#include "output/export/exporters.hpp"
#include "report/metrics/assemble.hpp"
#include "schema/report.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace {

using namespace mpsbench;

schema::Report read(std::string_view text) {
  const nlohmann::json document = base::parse_json(text, "a.json");
  return schema::from_json<schema::Report>(base::Reader(document, "a.json"));
}

void show(const schema::Report& report) {
  (void)output::header_line(report.tool, report.host, "cpu");
  (void)output::console_report(report, true);
  (void)output::plain_lines(report);
  for (const output::ExportFormat& format : output::export_formats()) {
    fuzz::try_to([&] { (void)format.report({report}); });
    fuzz::try_to([&] { (void)format.report({report, report}); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::try_to([&] {
    const schema::Report report = read(fuzz::text_of(data, size));
    const std::string text = output::to_json_text(report);
    if (output::to_json_text(read(text)) != text) std::abort();
    show(report);
    fuzz::try_to([&] { (void)report::merge({{"a.json", report}, {"b.json", report}}); });
    fuzz::try_to([&] { show(report::assemble(report::merge({{"a.json", report}}))); });
  });
  return 0;
}
