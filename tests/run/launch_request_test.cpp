#include "run/plan/launch_request.hpp"

#include "base/hex.hpp"
#include "suite/model_file.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <filesystem>

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
  EXPECT_FALSE(request.check_output || request.report_losses || request.group);
}

TEST(LaunchRequest, SaysHowLongRanksWaitForEachOther) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 2);
  schema::PlannedCase& planned = record.run.planned[0];
  planned.spec.ranks = 2;
  planned.rendezvous_timeout_seconds = 5;
  const schema::LaunchRequest request = launch_request(record, planned);
  ASSERT_TRUE(request.group);
  EXPECT_EQ(request.group->ranks, 2);
  EXPECT_EQ(request.group->timeout_seconds, 5);
}

TEST(LaunchRequest, NamesAUsersPackageItselfAndItsFingerprint) {
  const tests::Scratch folder;
  const std::filesystem::path file = std::filesystem::canonical(folder.write("net.pt2", "bytes"));
  const std::filesystem::path link = folder.root() / "link.pt2";
  std::filesystem::create_symlink(file, link);
  suite::Settings settings;
  settings.input_shapes.set({{{7}, std::nullopt}}, "--input-shape");
  const model::Definition definition = suite::model_file_definition(link.string(), settings);
  schema::RunRecord record = tests::sample_run({tests::sample_spec("link-7", schema::Mode::infer, 4)}, 1);
  record.run.definitions[definition.sha256] = definition.document;
  schema::PlannedCase& planned = record.run.planned[0];
  planned.definition_sha256 = definition.sha256;
  planned.weights_path = link.string();
  const schema::LaunchRequest request = launch_request(record, planned);
  ASSERT_TRUE(request.package);
  EXPECT_EQ(request.package->path, file.string());
  EXPECT_EQ(request.package->sha256, base::sha256_hex("bytes"));
}

}  // namespace
}  // namespace mpsbench::run
