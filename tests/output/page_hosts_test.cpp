#include "output/page/page_hosts.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

TEST(HostsSection, TellsWhatIsKnown) {
  std::vector<schema::Report> reports{tests::exported_report()};
  reports[0].host.accelerators = {{"cuda", "NVIDIA H200", std::int64_t{140} << 30}};
  reports[0].run.status = schema::RunStatus::partial;
  const std::string text = hosts_section(page_reports(reports));
  for (const char* part :
       {"<h2>epyc-0a1b</h2>", "<dt>CPU</dt><dd>AMD EPYC, 2 cores, 2 threads</dd>",
        "<dt>cuda</dt><dd>NVIDIA H200, 140 GiB</dd>", "<dt>memory</dt><dd>8.0 GiB</dd>",
        "<dt>LibTorch</dt><dd>2.13.0+cpu</dd>", "(partial)", "<dt>cases</dt><dd>2, 1 with times</dd>"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(HostsSection, LeavesOutWhatIsNot) {
  std::vector<schema::Report> reports{tests::exported_report(), tests::exported_report()};
  reports[0].host.power.source.reset();
  reports[0].host.memory_bytes = 0;
  const std::string text = hosts_section(page_reports(reports));
  const std::string first = text.substr(0, text.find("B · "));
  EXPECT_TRUE(contains(first, "<h2>A · epyc-0a1b</h2>")) << first;
  EXPECT_FALSE(contains(first, "<dt>power")) << first;
  EXPECT_FALSE(contains(first, "<dt>memory")) << first;
}

}  // namespace
}  // namespace mpsbench::output
