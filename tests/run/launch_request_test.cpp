#include "run/launch_request.hpp"

#include "support/sample_run.hpp"
#include "support/scratch.hpp"

namespace mpsbench::run {
namespace {

TEST(LaunchRequest, HasThePlanAndTheFilesAsTheyAreHere) {
  const tests::ScopedVariable home("HOME", "/home/of/a/test");
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 2);
  schema::PlannedCase& planned = record.run.planned[0];
  planned.weights_path = "~/w.safetensors";
  planned.data_path = "~/data";
  planned.vocabulary_path = "/v.txt";
  planned.dump_first_step_path = "~/d.safetensors";
  const schema::LaunchRequest request = launch_request(record, planned);
  EXPECT_EQ(request.spec, planned.spec);
  EXPECT_EQ(request.network_plan.parameters, 8 * 4 + 4);
  EXPECT_EQ(request.measure.max_time_seconds, 3);
  EXPECT_EQ(request.weights, "/home/of/a/test/w.safetensors");
  EXPECT_EQ(request.data_folder, "/home/of/a/test/data");
  EXPECT_EQ(request.vocabulary, "/v.txt");
  EXPECT_EQ(request.dump_first_step, "/home/of/a/test/d.safetensors");
  EXPECT_FALSE(request.check_output || request.report_losses);
}

}  // namespace
}  // namespace mpsbench::run
