#include "run/plan/options.hpp"

#include "suite/support.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace mpsbench::run {
namespace {

using schema::Purpose;
using tests::contains;
using tests::usage_error_of;

std::string options_refusal(const std::vector<std::pair<std::string, std::string>>& texts) {
  return usage_error_of([&] { (void)read_run_options(tests::settings_of(texts)); });
}

TEST(RunOptions, KnowWhatTheCommandLineSaidAndWhatASuite) {
  const Options options =
      read_run_options(tests::settings_of({{"export-json", "a.json"}, {"verbose", "true"}, {"timeout", "2m"}}));
  EXPECT_EQ(options.purpose, Purpose::plain);
  EXPECT_EQ(options.report, "a.json");
  EXPECT_EQ(options.timeout_seconds, 120);
  EXPECT_TRUE(options.reports_losses);
  EXPECT_FALSE(options.measures_ceilings || options.has_own_max_time);
  EXPECT_EQ(options.repeats_origin, "--repeats");
  EXPECT_TRUE(read_run_options(tests::settings_of({{"max-time", "1s"}})).has_own_max_time);
  const Options suite = read_run_options(tests::settings_of({{"max-time", "1s"}, {"repeats", "2"}}, "s.json"));
  EXPECT_FALSE(suite.has_own_max_time);
  EXPECT_EQ(suite.repeats_origin, "s.json: $.repeats");
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

TEST(Request, LaysTheOptionsOverEachMatrix) {
  const tests::Scratch scratch;
  const std::string a = scratch.write("a.json", R"({"name": "a", "repeats": 2, "strict": true, "matrices": [
      {"model": "mlp", "repeats": 4}, {"model": "lenet5"}]})");
  const std::string b = scratch.write("b.json", R"({"name": "b", "matrices": [{"model": "vgg16"}]})");
  const RunRequest request = read_request(tests::project_catalog(), {a, b}, tests::settings_of({{"batch-size", "7"}}));
  EXPECT_EQ(request.title, "a+b");
  ASSERT_EQ(request.matrices.size(), 3U);
  EXPECT_EQ(request.matrices[0].repeats.value(), 4);
  EXPECT_EQ(request.matrices[1].repeats.value(), 2);
  EXPECT_FALSE(request.matrices[2].repeats.has());
  for (const suite::Settings& matrix : request.matrices)
    EXPECT_EQ(matrix.batch_sizes.value().everywhere.sizes, std::vector<std::int64_t>{7});
  EXPECT_TRUE(request.settings.strict.is_on());
  EXPECT_EQ(
      read_request(tests::project_catalog(), {a}, tests::settings_of({{"repeats", "9"}})).matrices[0].repeats.value(),
      9);
}

TEST(Request, OfSeveralSuitesHasNoneOfTheirTimeLimits) {
  const tests::Scratch scratch;
  const std::string a = scratch.write("a.json", R"({"name": "a", "time-limit": "2m", "matrices": [{"model": "mlp"}]})");
  const std::string b = scratch.write("b.json", R"({"name": "b", "matrices": [{"model": "vgg16"}]})");
  EXPECT_EQ(read_request(tests::project_catalog(), {a}, {}).settings.time_limit_seconds.optional(), 120);
  EXPECT_FALSE(read_request(tests::project_catalog(), {a, b}, {}).settings.time_limit_seconds.has());
  EXPECT_EQ(read_request(tests::project_catalog(), {a, b}, tests::settings_of({{"time-limit", "5m"}}))
                .settings.time_limit_seconds.value(),
            300);
}

TEST(Request, OfAModelAloneIsOneMatrix) {
  const RunRequest request =
      read_request(tests::project_catalog(), {}, tests::settings_of({{"model", "mlp"}, {"seed", "3"}}));
  EXPECT_EQ(request.title, "adhoc");
  ASSERT_EQ(request.matrices.size(), 1U);
  EXPECT_EQ(request.matrices[0].seed.value(), 3);
}

TEST(Request, OfNothingHasNoMatrix) {
  EXPECT_TRUE(read_request(tests::project_catalog(), {}, tests::settings_of({{"resume", "a.jsonl"}})).matrices.empty());
}

}  // namespace
}  // namespace mpsbench::run
