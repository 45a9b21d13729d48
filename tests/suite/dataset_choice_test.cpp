#include "suite/dataset_choice.hpp"

#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "model/build_network_plan.hpp"
#include "suite/plan_cases.hpp"
#include "suite/support.hpp"
#include "support/errors.hpp"
#include "support/mnist_files.hpp"

#include <gtest/gtest.h>

#include <map>

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::settings_of;
using tests::usage_error_of;

TEST(DatasetChoice, IsNoneByDefault) {
  EXPECT_FALSE(has_dataset(settings_of({})));
  EXPECT_FALSE(has_dataset(settings_of({{"dataset", "synthetic"}})));
  EXPECT_TRUE(has_dataset(settings_of({{"dataset", "mnist"}, {"workers", "1"}})));
}

std::string dataset_refusal(const std::vector<std::pair<std::string, std::string>>& texts) {
  return usage_error_of([&] { (void)has_dataset(settings_of(texts)); });
}

TEST(DatasetChoice, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(contains(dataset_refusal({{"workers", "3"}}), "--dataset NAME"));
  const std::map<std::string, std::string> of_texts{
      {"vocab", "v.txt"}, {"pad", "max"}, {"trec-labels", "2.0.0"}, {"tokenize", "batch"}};
  for (const auto& [option, value] : of_texts) {
    EXPECT_TRUE(contains(dataset_refusal({{"dataset", "mnist"}, {option, value}}), "is for texts")) << option;
    EXPECT_TRUE(contains(dataset_refusal({{option, value}}), "--dataset NAME")) << option;
    EXPECT_FALSE(has_dataset(settings_of({{"dataset", "synthetic"}, {option, value}}))) << option;
  }
  EXPECT_TRUE(contains(dataset_refusal({{"dataset", "synthetic"}, {"pad", "longest"}}), "use --pad max"));
  EXPECT_TRUE(contains(dataset_refusal({{"dataset", "trec"}, {"workers", "1"}}), "tokenised"));
  EXPECT_TRUE(contains(dataset_refusal({{"last-batch", "keep"}}), "--dataset NAME"));
  EXPECT_TRUE(contains(dataset_refusal({{"dataset", "synthetic"}, {"last-batch", "keep"}}), "always full"));
  EXPECT_TRUE(contains(dataset_refusal({{"shuffle", "off"}}), "--dataset NAME"));
  EXPECT_TRUE(contains(dataset_refusal({{"dataset", "synthetic"}, {"shuffle", "off"}}), "no order"));
}

class DatasetChoiceTest : public ::testing::Test {
 protected:
  [[nodiscard]] Settings settings() const {
    return settings_of({{"dataset", "mnist"}, {"data-dir", folder_.root().string()}});
  }
  std::string misfit(const std::string& model, std::int64_t batch_size, std::int64_t ranks = 1) {
    const model::Definition definition = tests::definition_of(model);
    const schema::NetworkPlan plan =
        model::build_network_plan(definition, batch_size, {}, definition.loss, schema::Mode::train);
    schema::CaseSpec spec;
    spec.batch_size = batch_size;
    spec.ranks = ranks;
    spec.rows = rows(schema::Mode::train);
    return usage_error_of([&] { require_fit(settings(), choose_dataset(settings()), plan, spec); });
  }

  [[nodiscard]] std::int64_t rows(schema::Mode mode, const std::string& wanted = "") const {
    const Settings more = wanted.empty() ? Settings() : settings_of({{"rows", wanted}});
    return dataset_rows(settings().overlaid_with(more), choose_dataset(settings()), mode);
  }

  tests::Scratch folder_;
};

TEST_F(DatasetChoiceTest, CountsTheRows) {
  tests::write_mnist(folder_, 100, 30);
  const DatasetChoice choice = choose_dataset(settings());
  EXPECT_EQ(choice.training_rows, 90);
  EXPECT_EQ(choice.test_rows, 30);
}

TEST_F(DatasetChoiceTest, TakesTheFirstRowsThatAreAskedFor) {
  tests::write_mnist(folder_, 100, 30);
  EXPECT_EQ(rows(schema::Mode::train), 90);
  EXPECT_EQ(rows(schema::Mode::data, "90"), 90);
  EXPECT_EQ(rows(schema::Mode::infer, "7"), 7);
  EXPECT_EQ(usage_error_of([&] { (void)rows(schema::Mode::train, "91"); }),
            "--rows: 91 is more than the 90 training rows (nine tenths) of " +
                (folder_.root() / "train-images-idx3-ubyte").string() + "; lower it");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)rows(schema::Mode::infer, "31"); }), "30 test rows of"));
}

TEST_F(DatasetChoiceTest, TimesInferenceOnTrainingQuestions) {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "DESC:def What is it ?\n";
  folder_.write("train_5500.label", lines);
  folder_.write("TREC_10.label", "DESC:def What is it ?\n");
  folder_.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nwhat\nis\nit\n?\n");
  const Settings texts = settings_of({{"dataset", "trec"}, {"data-dir", folder_.root().string()}});
  EXPECT_EQ(dataset_rows(texts, choose_dataset(texts), schema::Mode::infer), 18);
  EXPECT_EQ(choose_dataset(texts).test_rows, 1);
}

TEST_F(DatasetChoiceTest, KnowsItsFilesByTheirContents) {
  tests::write_mnist(folder_, 100, 30);
  const auto& files = choose_dataset(settings()).files;
  EXPECT_EQ(files.size(), 4U);
  EXPECT_EQ(files.at("t10k-labels-idx1-ubyte"),
            base::sha256_hex(base::read_text_file(folder_.root() / "t10k-labels-idx1-ubyte", 1 << 20)));
}

TEST_F(DatasetChoiceTest, WarnsOnceOfAVocabularyOfOtherWords) {
  folder_.write("train_5500.label", "DESC:def What is that ?\nDESC:def What is it ?\n");
  folder_.write("TREC_10.label", "DESC:def What is it ?\n");
  const std::string special = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";
  folder_.write("vocab.txt", special + "what\nis\nthat\n?\n");  // 1 token of 8 is unknown
  folder_.write("other.txt", special + "what\nis\n");           // 4 of 8 are unknown
  const auto warning = [&](const char* vocabulary) {
    ::testing::internal::CaptureStderr();
    (void)choose_dataset(settings_of({{"dataset", "trec"},
                                      {"data-dir", folder_.root().string()},
                                      {"vocab", (folder_.root() / vocabulary).string()}}));
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning("vocab.txt"), "");
  EXPECT_TRUE(
      contains(warning("other.txt"), "other.txt: 50 % of the texts' tokens are not in this vocabulary ([UNK])"));
  EXPECT_EQ(warning("other.txt"), "");
}

TEST(DatasetChoice, RefusesAnEmptyPath) {
  EXPECT_EQ(usage_error_of([] { (void)open_dataset(schema::Dataset::mnist, ""); }),
            "the path of a data set's files must not be empty");
}

TEST_F(DatasetChoiceTest, NamesTheFileThatIsMissing) {
  tests::write_mnist(folder_, 100, 30);
  std::filesystem::remove(folder_.root() / "t10k-labels-idx1-ubyte");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)choose_dataset(settings()); }), "t10k-labels"));
}

TEST_F(DatasetChoiceTest, RefusesNetworksAndBatchesThatDoNotFit) {
  tests::write_mnist(folder_, 100, 30);
  EXPECT_TRUE(contains(misfit("vgg11", 4), "1x28x28 cannot become the network's inputs of 3x224x224"));
  EXPECT_TRUE(contains(misfit("mlp", 4), "images"));
  EXPECT_TRUE(contains(misfit("lenet5", 91), "91 rows are more than the 90"));
  EXPECT_TRUE(contains(misfit("lenet5", 31, 3), "93 rows of 3 processes are more than the 90"));
}

using Texts = std::vector<std::pair<std::string, std::string>>;

void check_modes_of(const Settings& settings) {
  check_modes(settings, settings.modes.value());
}

std::string data_mode_refusal(const Texts& texts) {
  return usage_error_of([&] { check_modes_of(settings_of(texts)); });
}

TEST(DataMode, NeedsTheFilesOfADataSet) {
  EXPECT_TRUE(
      contains(data_mode_refusal({{"mode", "data"}}), "synthetic rows are not loaded from files; add --dataset"));
  EXPECT_TRUE(contains(data_mode_refusal({{"mode", "train,data"}, {"dataset", "synthetic"}}), "--mode: "));
  EXPECT_NO_THROW(check_modes_of(settings_of({{"mode", "data"}, {"dataset", "mnist"}})));
  EXPECT_NO_THROW(check_modes_of(settings_of({{"mode", "train"}})));
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
    EXPECT_NO_THROW(check_modes_of(settings_of(texts))) << name;
  }
  EXPECT_NO_THROW(check_modes_of(settings_of({{"mode", "data"}, {"dataset", "mnist"}, {"device", "cpu,auto"}})));
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
