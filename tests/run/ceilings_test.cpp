#include "run/session/ceilings.hpp"

#include "report/metrics/ceilings.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::run {
namespace {

using schema::Mode;

schema::Ceiling ceiling_of(const schema::DeviceId& device, std::optional<std::int64_t> threads) {
  return {device, threads, "2026-11-21T10:02:03Z", {{schema::Precision::fp32, 1e11}}, 2e10};
}

void keep(const schema::HostInfo& host, const schema::Ceiling& ceiling, const std::string& libtorch) {
  report::CeilingCache(report::cache_folder())
      .keep(report::ceiling_key(host, libtorch, ceiling.device, ceiling.threads), ceiling);
}

schema::RunRecord record_of_a_run() {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", Mode::train, 8)}, 1);
  record.host.libtorch.emplace().version = "2.13.0";
  return record;
}

class RecallCeilings : public testing::Test {
 protected:
  tests::Scratch scratch_;
  tests::ScopedVariable place_{"XDG_CACHE_HOME", scratch_.root().c_str()};
};

TEST_F(RecallCeilings, TakesWhatWasKeptForTheDevicesOfThePlan) {
  schema::RunRecord record = record_of_a_run();
  recall_ceilings(record, "2.13.0");
  EXPECT_TRUE(record.host.ceilings.empty());

  keep(record.host, ceiling_of("cpu", 1), "2.13.0");    // with another number of threads
  keep(record.host, ceiling_of("cpu", 2), "2.11.0");    // from another LibTorch
  keep(record.host, ceiling_of("cuda", {}), "2.13.0");  // for a device that no case uses
  recall_ceilings(record, "2.13.0");
  EXPECT_TRUE(record.host.ceilings.empty());

  keep(record.host, ceiling_of("cpu", 2), "2.13.0");
  recall_ceilings(record, "2.13.0");
  recall_ceilings(record, "2.13.0");
  EXPECT_EQ(record.host.ceilings, std::vector{ceiling_of("cpu", 2)});
}

TEST_F(RecallCeilings, TakesNoneForSomeOfTheCpus) {
  schema::RunRecord record = record_of_a_run();
  record.run.planned[0].spec.affinity = "0";
  keep(record.host, ceiling_of("cpu", 2), "2.13.0");
  recall_ceilings(record, "2.13.0");
  EXPECT_TRUE(record.host.ceilings.empty());
}

TEST_F(RecallCeilings, LeavesThoseOfTheRecord) {
  schema::RunRecord record = record_of_a_run();
  keep(record.host, ceiling_of("cpu", 2), "2.13.0");
  schema::Ceiling own = ceiling_of("cpu", 2);
  own.bytes_per_second = 5e10;
  record.host.ceilings = {own};
  recall_ceilings(record, "2.13.0");
  EXPECT_EQ(record.host.ceilings, std::vector{own});
}

}  // namespace
}  // namespace mpsbench::run
