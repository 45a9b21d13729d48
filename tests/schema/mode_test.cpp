#include "schema/mode.hpp"

#include "schema/case_spec.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {

namespace {

CaseSpec published(Mode mode) {
  CaseSpec spec;
  spec.mode = mode;
  spec.optimizer.name = "sgd";
  spec.loop = LoopProtocol::published;
  return spec;
}

TEST(LoopProtocol, IsASwitchOutside) {
  for (const bool on : {false, true}) EXPECT_EQ(as_published(loop_protocol(on)), on);
}

TEST(LoopProtocol, PublishedTrainingReadsEachLossUnlessNothingIsUpdated) {
  CaseSpec spec = published(Mode::train);
  EXPECT_TRUE(reads_each_loss(spec));
  EXPECT_FALSE(reads_each_loss(published(Mode::infer)));
  spec.optimizer.name = "none";
  EXPECT_FALSE(reads_each_loss(spec));
  spec = published(Mode::train);
  spec.loop = LoopProtocol::standard;
  EXPECT_FALSE(reads_each_loss(spec));
}

TEST(LoopProtocol, TheNotebooksForwardIsALoopAndNoEpoch) {
  CaseSpec spec = published(Mode::infer);
  EXPECT_FALSE(is_published_inference(spec));
  spec.iterations = 6;
  EXPECT_TRUE(is_published_inference(spec));
  spec.mode = Mode::train;
  EXPECT_FALSE(is_published_inference(spec));
  spec.mode = Mode::infer;
  spec.loop = LoopProtocol::standard;
  EXPECT_FALSE(is_published_inference(spec));
}

}  // namespace

}  // namespace mpsbench::schema
