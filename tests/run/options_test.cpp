#include "run/plan/options.hpp"

#include "suite/support.hpp"
#include "support/errors.hpp"

namespace mpsbench::run {
namespace {

using schema::Purpose;
using tests::contains;
using tests::usage_error_of;

std::string options_refusal(const std::vector<std::pair<std::string, std::string>>& texts) {
  return usage_error_of([&] { (void)read_run_options(tests::settings_of(texts)); });
}

TEST(RunOptions, AreReadWithTheirTypes) {
  const Options options = read_run_options(tests::settings_of({{"export-json", "a.json"},
                                                               {"seed", "7"},
                                                               {"price", "1000"},
                                                               {"epochs-projected", "90"},
                                                               {"percentiles", "99.9,50,99.9"},
                                                               {"strict", "true"},
                                                               {"verbose", "true"},
                                                               {"timeout", "2m"},
                                                               {"host-name", "h"}}));
  EXPECT_EQ(options.purpose, Purpose::plain);
  EXPECT_EQ(options.report, "a.json");
  EXPECT_EQ(options.seed, 7);
  EXPECT_EQ(options.price_dollars, 1000);
  EXPECT_EQ(options.epochs_projected, 90);
  EXPECT_EQ(options.percentiles, (std::vector<double>{50, 99.9}));
  EXPECT_EQ(options.timeout_seconds, 120);
  EXPECT_EQ(options.host_name, "h");
  EXPECT_TRUE(options.is_strict && options.reports_losses);
  EXPECT_FALSE(options.measures_ceilings || options.has_own_max_time);
  EXPECT_EQ(options.repeats_origin, "--repeats");
}

TEST(RunOptions, KnowWhatTheCommandLineSaidAndWhatASuite) {
  EXPECT_TRUE(read_run_options(tests::settings_of({{"max-time", "1s"}})).has_own_max_time);
  const Options options = read_run_options(tests::settings_of({{"max-time", "1s"}, {"repeats", "2"}}, "s.json"));
  EXPECT_FALSE(options.has_own_max_time);
  EXPECT_EQ(options.repeats_origin, "s.json: $.repeats");
}

TEST(RunOptions, MakeAGateOfABaselineOrAnotherWorker) {
  const Options baseline = read_run_options(tests::settings_of({{"baseline", "old.json"},
                                                                {"alpha", "5%"},
                                                                {"budget", "1m"},
                                                                {"fail-on-regression", "true"},
                                                                {"force", "true"}}));
  EXPECT_EQ(baseline.purpose, Purpose::baseline);
  EXPECT_EQ(baseline.baseline, "old.json");
  EXPECT_EQ(baseline.gate, (schema::GateInfo{std::nullopt, 0.05, 60, true, false, true, false}));
  const Options versus = read_run_options(tests::settings_of({{"versus", "worker"}, {"fail-on-undecided", "true"}}));
  EXPECT_EQ(versus.purpose, Purpose::versus);
  EXPECT_EQ(versus.versus, "worker");
  EXPECT_EQ(versus.gate, (schema::GateInfo{std::nullopt, 0.01, 600, false, true, false, false}));
}

TEST(RunOptions, OfAGateNeedSomethingToCompareWith) {
  EXPECT_EQ(options_refusal({{"alpha", "5%"}}),
            "--alpha: needs something to compare with; add --baseline FILE or --versus WORKER");
  const suite::Settings of_a_suite = tests::settings_of({{"alpha", "5%"}, {"fail-on-regression", "true"}}, "s.json");
  EXPECT_EQ(read_run_options(of_a_suite).purpose, Purpose::plain);
}

TEST(RunOptions, RefuseWhatDoesNotGoTogether) {
  EXPECT_TRUE(
      contains(options_refusal({{"baseline", "a.json"}, {"versus", "w"}}), "--versus: measures the other side"));
  EXPECT_TRUE(contains(options_refusal({{"baseline", "a.json"}, {"export-json", "a.json"}}),
                       "--export-json: would overwrite the --baseline"));
}

TEST(CalibrationOptions, RefuseWhatHoldsARunAgainstAnother) {
  EXPECT_EQ(read_calibration_options(tests::settings_of({{"repeats", "3"}})).purpose, Purpose::calibrate);
  std::size_t refused = 0;
  for (const suite::Option& option : suite::options()) {
    if (!option.traits.is_refused_by_calibrate) continue;
    ++refused;
    const bool is_flag = option.kind == suite::OptionKind::flag;
    const suite::Settings settings = tests::settings_of({{option.name, is_flag                   ? "true"
                                                                       : option.name == "budget" ? "1s"
                                                                                                 : "1%"}});
    EXPECT_EQ(usage_error_of([&] { (void)read_calibration_options(settings); }),
              "--" + option.name + ": calibrate does not take this option; leave it out");
  }
  EXPECT_EQ(refused, 9U);
  EXPECT_NO_THROW((void)read_calibration_options(tests::settings_of({{"alpha", "5%"}}, "s.json")));
}

}  // namespace
}  // namespace mpsbench::run
