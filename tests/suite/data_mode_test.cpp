#include "suite/dataset_choice.hpp"
#include "suite/plan_cases.hpp"
#include "suite/support.hpp"
#include "support/mnist_files.hpp"

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::settings_of;
using tests::usage_error_of;
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string data_mode_refusal(const Texts& texts) {
  return usage_error_of([&] { check_data_mode(settings_of(texts)); });
}

TEST(DataMode, NeedsTheFilesOfADataSet) {
  EXPECT_TRUE(
      contains(data_mode_refusal({{"mode", "data"}}), "synthetic rows are not loaded from files; add --dataset"));
  EXPECT_TRUE(contains(data_mode_refusal({{"mode", "train,data"}, {"dataset", "synthetic"}}), "--mode: "));
  EXPECT_NO_THROW(check_data_mode(settings_of({{"mode", "data"}, {"dataset", "mnist"}})));
  EXPECT_NO_THROW(check_data_mode(settings_of({{"mode", "train"}})));
}

TEST(DataMode, AloneRefusesOptionsOfTheNetwork) {
  const Texts data{{"mode", "data"}, {"dataset", "mnist"}};
  for (const auto& [name, text] : Texts{{"precision", "bf16"},
                                        {"engine", "graph"},
                                        {"loss", "mse"},
                                        {"optimizer", "sgd"},
                                        {"device", "cuda"},
                                        {"weights", "w"}}) {
    Texts texts = data;
    texts.emplace_back(name, text);
    EXPECT_TRUE(contains(data_mode_refusal(texts), "--" + name + ": has no effect with --mode data")) << name;
    texts[0].second = "train,data";
    EXPECT_NO_THROW(check_data_mode(settings_of(texts))) << name;
  }
  EXPECT_NO_THROW(check_data_mode(settings_of({{"mode", "data"}, {"dataset", "mnist"}, {"device", "cpu,auto"}})));
}

TEST(DataMode, IsOneCaseABatchAtTheDefaultsOfTheNetwork) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 100, 30);
  const Settings settings = settings_of({{"model", "lenet5"},
                                         {"mode", "infer,data"},
                                         {"precision", "bf16,fp32"},
                                         {"dropout", "0"},
                                         {"loss", "mse"},
                                         {"batch-size", "8"},
                                         {"dataset", "mnist"},
                                         {"data-dir", folder.root().string()}});
  const Host host{2, 0, tests::devices_here({"cpu", "cuda"})};
  const PlannedCases plan = plan_cases({settings}, tests::project_catalog(), host);
  ASSERT_EQ(plan.cases.size(), 3U);
  EXPECT_EQ(plan.cases[1].spec.device, schema::DeviceId("cuda"));
  const schema::PlannedCase& data = plan.cases.back();
  EXPECT_EQ(data.id, "lenet5/data/cpu/b8/fp32/eager/mnist");
  EXPECT_EQ(data.spec.loss, "cross_entropy");
  EXPECT_EQ(data.spec.rows, 90);
}

}  // namespace
}  // namespace mpsbench::suite
