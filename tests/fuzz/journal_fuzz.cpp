// Fuzzes reading a journal and making a report from it.
#include "fuzz/harness.hpp"
#include "output/console/console_table.hpp"
#include "output/export/exporters.hpp"
#include "report/metrics/assemble.hpp"
#include "supervise/journal.hpp"

#include <nlohmann/json.hpp>

using namespace mpsbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  (void)supervise::Journal::is_journal(file.path());
  fuzz::try_to([&] {
    const schema::Report report = report::assemble(supervise::Journal::load(file.path()));
    (void)output::console_table(report, true);
    (void)output::to_json_text(report);
  });
  return 0;
}
