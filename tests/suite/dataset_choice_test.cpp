#include "suite/dataset_choice.hpp"

#include "model/build_plan.hpp"
#include "suite/support.hpp"
#include "support/errors.hpp"
#include "support/mnist_files.hpp"

#include <gtest/gtest.h>

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

std::string refusal(const std::vector<std::pair<std::string, std::string>>& texts) {
  return usage_error_of([&] { (void)has_dataset(settings_of(texts)); });
}

TEST(DatasetChoice, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(contains(refusal({{"workers", "3"}}), "--dataset NAME"));
  EXPECT_TRUE(contains(refusal({{"dataset", "mnist"}, {"rows", "5"}}), "leave it out"));
  EXPECT_TRUE(contains(refusal({{"dataset", "mnist"}, {"vocab", "v.txt"}}), "images have no vocabulary"));
  EXPECT_TRUE(contains(refusal({{"dataset", "trec"}, {"workers", "1"}}), "tokenised"));
}

class DatasetChoiceTest : public ::testing::Test {
 protected:
  [[nodiscard]] Settings settings() const {
    return settings_of({{"dataset", "mnist"}, {"data-dir", folder_.root().string()}});
  }
  std::string misfit(const std::string& model, std::int64_t batch_size) {
    const model::Definition definition = tests::definition_of(model);
    const schema::Plan plan = model::build_plan(definition, batch_size, std::nullopt, std::nullopt,
                                                definition.loss, schema::Mode::train);
    return usage_error_of(
        [&] { require_fit(settings(), choose_dataset(settings()), plan, schema::Mode::train); });
  }

  tests::Scratch folder_;
};

TEST_F(DatasetChoiceTest, CountsTheRows) {
  tests::write_mnist(folder_, 100, 30);
  const DatasetChoice& choice = choose_dataset(settings());
  EXPECT_EQ(choice.training_rows, 90);
  EXPECT_EQ(choice.test_rows, 30);
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
  EXPECT_TRUE(contains(misfit("lenet5", 91), "more than the 90"));
}

}  // namespace
}  // namespace mpsbench::suite
