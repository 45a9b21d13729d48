#include "input/data/file_batches.hpp"
#include "nn/plans.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::data {
namespace {

// A network that takes six tokens. Its layers do not matter here.
schema::NetworkPlan sentence_plan() {
  schema::NetworkPlan plan;
  for (const char* name : {"input_ids", "attention_mask", "token_type_ids"})
    plan.inputs.push_back({name, schema::DType::int64, {4, 6}, "integers", 50});
  plan.target_dtype = schema::DType::int64;
  plan.target_high = 6;
  plan.target_shape = {4};
  return plan;
}

class TextBatchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nwhat\nis\nit\n?\n");
    std::string lines;
    for (int i = 0; i < 20; ++i) lines += i % 2 == 0 ? "DESC:def What is it ?\n" : "HUM:ind It is ...\n";
    folder_.write("train_5500.label", lines);
    folder_.write("TREC_10.label", "LOC:city What is what is what is ?\n");
  }

  [[nodiscard]] DataOptions options() const {
    return {.dataset = schema::Dataset::trec,
            .folder = folder_.root().string(),
            .vocabulary = (folder_.root() / "vocab.txt").string(),
            .batch_size = 4};
  }

  tests::Scratch folder_;
};

std::vector<std::int64_t> row_of(const at::Tensor& tensor, std::int64_t row) {
  const at::Tensor values = tensor[row].contiguous();
  // const_data_ptr<...> cannot be used: its mangled name changed with clang 18, and LibTorch 2.9 for the Mac
  // has the older one.
  const std::int64_t* first = values.data_ptr<std::int64_t>();
  return {first, first + values.numel()};
}

TEST_F(TextBatchesTest, HoldIdsMaskAndTypes) {
  TextBatches batches(options(), sentence_plan(), DataPart::validation);
  batches.begin_epoch();
  const Batch batch = batches.next().value();
  ASSERT_EQ(batch.inputs.size(), 3U);
  using Ids = std::vector<std::int64_t>;
  EXPECT_EQ(row_of(batch.inputs[0], 0), (Ids{2, 4, 5, 6, 7, 3}));
  EXPECT_EQ(row_of(batch.inputs[1], 0), (Ids{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(row_of(batch.inputs[2], 0), (Ids{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(batch.target[0].item<std::int64_t>(), 0);  // DESC in the order of version 1.1.0
  EXPECT_EQ(batch.target[1].item<std::int64_t>(), 3);  // HUM
  EXPECT_FALSE(batches.next().has_value());
}

TEST_F(TextBatchesTest, CutWhatIsTooLong) {
  TextBatches batches(options(), sentence_plan(), DataPart::test);
  batches.begin_epoch();
  EXPECT_EQ(row_of(batches.next().value().inputs[0], 0), (std::vector<std::int64_t>{2, 4, 5, 4, 5, 3}));
}

TEST_F(TextBatchesTest, OfTrainingAreShuffledAndWhole) {
  TextBatches batches(options(), sentence_plan(), DataPart::train);
  EXPECT_FALSE(batches.next().has_value());
  std::vector<std::int64_t> orders[2];
  for (std::vector<std::int64_t>& order : orders) {
    batches.begin_epoch();
    while (const auto batch = batches.next()) {
      for (std::int64_t row = 0; row < 4; ++row) order.push_back(batch->target[row].item<std::int64_t>());
    }
    EXPECT_EQ(order.size(), 16U);  // of 18 rows
  }
  EXPECT_NE(orders[0], orders[1]);
}

TEST_F(TextBatchesTest, OfTrainingAreInTheFilesOrderWhereThatIsAskedFor) {
  DataOptions in_order = options();
  in_order.in_order = true;
  TextBatches batches(in_order, sentence_plan(), DataPart::train);
  for (int epoch = 0; epoch < 2; ++epoch) {
    batches.begin_epoch();
    for (int batch = 0; batch < 4; ++batch) {  // 16 of 18 rows: DESC, HUM, DESC, ...
      const at::Tensor target = batches.next().value().target;
      for (std::int64_t row = 0; row < 4; ++row) EXPECT_EQ(target[row].item<std::int64_t>(), row % 2 == 0 ? 0 : 3);
    }
    EXPECT_FALSE(batches.next().has_value());
  }
}

TEST_F(TextBatchesTest, ArePaddedToTheirLongest) {
  folder_.write("TREC_10.label", "LOC:city It ?\nLOC:city What is it ?\nLOC:city It\nLOC:city ?\n");
  DataOptions longest = options();
  longest.batch_size = 2;
  longest.pad_to_longest = true;
  TextBatches batches(longest, sentence_plan(), DataPart::test);
  batches.begin_epoch();
  using Ids = std::vector<std::int64_t>;
  const Batch first = batches.next().value();
  EXPECT_EQ(row_of(first.inputs[0], 0), (Ids{2, 6, 7, 3, 0, 0}));
  EXPECT_EQ(row_of(first.inputs[1], 0), (Ids{1, 1, 1, 1, 0, 0}));
  const Batch second = batches.next().value();
  EXPECT_EQ(row_of(second.inputs[0], 1), (Ids{2, 7, 3}));
  EXPECT_EQ(row_of(second.inputs[2], 1), (Ids{0, 0, 0}));
}

TEST_F(TextBatchesTest, AreTheSameWheneverTheyAreTokenised) {
  DataOptions each = options();
  each.tokenize = schema::Tokenize::batch;
  TextBatches one(options(), sentence_plan(), DataPart::train);
  TextBatches other(each, sentence_plan(), DataPart::train);
  for (int epoch = 0; epoch < 2; ++epoch) {
    one.begin_epoch();
    other.begin_epoch();
    while (const auto batch = one.next()) {
      const Batch same = other.next().value();
      for (std::size_t i = 0; i < same.inputs.size(); ++i) EXPECT_TRUE(same.inputs[i].equal(batch->inputs[i]));
      EXPECT_TRUE(same.target.equal(batch->target));
    }
    EXPECT_FALSE(other.next().has_value());
  }
}

TEST_F(TextBatchesTest, NumberLabelsAsTheVersionThatIsAskedFor) {
  DataOptions newer = options();
  newer.trec_labels = schema::TrecLabels::v2_0_0;
  TextBatches batches(newer, sentence_plan(), DataPart::validation);
  batches.begin_epoch();
  EXPECT_EQ(batches.next().value().target[0].item<std::int64_t>(), 2);  // DESC
}

TEST_F(TextBatchesTest, AreOfTheFirstRowsOnlyWhereSoManyAreAskedFor) {
  DataOptions few = options();
  folder_.write("train_5500.label", "HUM:ind It\nHUM:ind It\nHUM:ind It\nHUM:ind It\n" +
                                        std::string("DESC:def What\nDESC:def What\nDESC:def What\n"));
  few.rows = 4;
  TextBatches batches(few, sentence_plan(), DataPart::train);
  batches.begin_epoch();
  EXPECT_TRUE(batches.next().value().target.eq(3).all().item<bool>());
  EXPECT_FALSE(batches.next().has_value());
}

}  // namespace
}  // namespace mpsbench::data
