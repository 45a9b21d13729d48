#include "output/text/learned.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using schema::DataPart;

TEST(Learned, ShowsAccuraciesAndTheThreeClocks) {
  schema::CaseResult result;
  schema::Launch launch = tests::good_launch({0.1});
  launch.epochs = {{60, 100, 6400}};
  launch.evaluations = {
      {DataPart::train, 1000, 990, 12}, {DataPart::validation, 100, 97, 6}, {DataPart::test, 200, 195, 3}};
  result.launches = {tests::bad_launch(schema::Status::oom, ""), launch};
  EXPECT_EQ(learned(result),
            "Accuracy after 1 epoch: train 99.00 %, validation 97.00 %, test 97.50 %. Times: epoch without "
            "evaluation "
            "1.00 min (60.0 s), total training 1.30 min (78.0 s), total 1.35 min (81.0 s).");
}

TEST(Learned, TellsWhatIsRightAfterTheLastEpoch) {
  schema::CaseResult result;
  schema::Launch launch = tests::good_launch({0.1});
  launch.epochs = {{60, 100, 6400}, {60, 100, 6400}};
  launch.evaluations = {
      {DataPart::train, 100, 30, 6, 1}, {DataPart::train, 100, 50, 6, 2}, {DataPart::test, 100, 40, 3, 2}};
  result.launches = {launch};
  const std::string words = learned(result);
  EXPECT_NE(words.find("Accuracy after 2 epochs: train 50.00 %, test 40.00 %."), std::string::npos) << words;
  EXPECT_NE(words.find("total training 2.20 min"), std::string::npos) << words;
}

TEST(Learned, SaysWhoseClocksTheyAre) {
  schema::CaseResult result;
  schema::Launch launch = tests::good_launch({0.1});
  launch.epochs = {{60, 100, 6400}};
  launch.evaluations = {{DataPart::train, 100, 50, 6, 1}};
  result.launches = {launch, launch};
  EXPECT_EQ(learned(result).rfind("In the first good launch, accuracy after 1 epoch: train 50.00 %.", 0), 0U);
}

TEST(Learned, SaysNothingOfACaseWithoutEpochs) {
  schema::CaseResult result;
  result.launches = {tests::good_launch({0.1})};
  EXPECT_EQ(learned(result), "");
}

}  // namespace
}  // namespace mpsbench::output
