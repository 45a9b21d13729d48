#include "schema/case_spec.hpp"

#include "schema/samples.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace mpsbench::schema {

namespace {

TEST(AsPublished, ReadsEachLossOfATrainingThatUpdatesOrRepeatsABatch) {
  CaseSpec spec;
  spec.mode = Mode::train;
  spec.optimizer.name = "sgd";
  spec.as_published = true;
  spec.iterations = 6;
  CaseSpec infers = spec;
  infers.mode = Mode::infer;
  EXPECT_TRUE(reads_each_loss(spec) && !is_published_inference(spec));
  EXPECT_TRUE(!reads_each_loss(infers) && is_published_inference(infers));
  infers.iterations.reset();
  EXPECT_FALSE(is_published_inference(infers)) << "an epoch";
  spec.optimizer.name = "none";
  EXPECT_FALSE(reads_each_loss(spec));
  for (const Mode mode : {Mode::train, Mode::infer}) {
    CaseSpec plain;
    plain.mode = mode;
    plain.optimizer.name = "sgd";
    plain.iterations = 6;
    EXPECT_FALSE(reads_each_loss(plain) || is_published_inference(plain)) << to_string(mode);
  }
}

TEST(StepsPerEpoch, ARestIsAStepWhereAllRowsAreRead) {
  CaseSpec spec;
  spec.batch_size = 32;
  for (const auto& [mode, rows, steps] : {std::tuple{Mode::infer, 96, 3}, {Mode::infer, 97, 4}, {Mode::train, 97, 3}}) {
    spec.mode = mode;
    spec.rows = rows;
    EXPECT_EQ(steps_per_epoch(spec), steps) << to_string(mode) << " " << rows;
  }
}

TEST(CaseId, NamesTheWorkInAFixedOrder) {
  EXPECT_EQ(plain_case_id(tests::full_spec(), "max"), "vgg16/train/cpu/bmax/bf16/eager/synthetic");
}

TEST(CaseId, IsTakenApartAndPutTogether) {
  const std::string text = "mlp/train/cuda:1/b64/fp32/eager/synthetic+epochs=1+threads=2+weights=a/b.st";
  const CaseId id(text);
  EXPECT_EQ(id.text(), text);
  EXPECT_EQ(id.parts.size(), CaseId::dataset + 1);
  EXPECT_EQ(id.parts[CaseId::batch], "b64");
  EXPECT_TRUE(id.has_option("epochs"));
  EXPECT_FALSE(id.has_option("epoch"));
  EXPECT_EQ(id.without_part(CaseId::device).without_own_options().without_option("weights").text(),
            "mlp/train/b64/fp32/eager/synthetic+epochs=1");
  EXPECT_EQ(CaseId("").text(), "");
  EXPECT_EQ(IdOption("channels-last").value, "true");
}

}  // namespace

}  // namespace mpsbench::schema
