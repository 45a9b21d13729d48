#include "suite/option_values.hpp"

#include "suite/support.hpp"

namespace mpsbench::suite {
namespace {

using tests::contains;

// Returns the error message for TEXT.
std::string optimizer_refusal(const std::string& text) {
  return tests::usage_error_of([&] { (void)parse_optimizer(text); });
}

TEST(OptimizerText, FillsInDefaults) {
  const schema::OptimizerSpec sgd = parse_optimizer("sgd:lr=0.1:momentum=0.9");
  EXPECT_EQ(sgd.name, "sgd");
  EXPECT_EQ(sgd.settings.at("lr"), 0.1);
  EXPECT_EQ(sgd.settings.at("momentum"), 0.9);
  EXPECT_EQ(sgd.settings.at("nesterov"), 0);
  EXPECT_EQ(parse_optimizer("adamw").settings.at("weight_decay"), 0.01);
}

TEST(OptimizerText, GoesBothWays) {
  for (const char* text :
       {"sgd", "sgd:lr=0.1:momentum=0.9", "adam:beta1=0.5", "adamw:lr=1e-05", "sgd:momentum=0.9:nesterov=1.0"}) {
    const schema::OptimizerSpec spec = parse_optimizer(text);
    EXPECT_EQ(optimizer_text(spec), text);
    EXPECT_EQ(parse_optimizer(optimizer_text(spec)), spec);
  }
}

TEST(OptimizerText, LeavesDefaultsOutAndSorts) {
  EXPECT_EQ(optimizer_text(parse_optimizer("sgd:momentum=0.9:lr=0.1")), "sgd:lr=0.1:momentum=0.9");
  EXPECT_EQ(optimizer_text(parse_optimizer("sgd:lr=0.001:momentum=0")), "sgd");
}

TEST(OptimizerText, SaysWhatIsWrong) {
  EXPECT_EQ(optimizer_refusal("sgd:lr"), "expected NAME:key=value:key=value, found 'lr' in 'sgd:lr'");
  EXPECT_EQ(optimizer_refusal("sgd:lr=0.1:lr=0.2"), "'lr' appears twice in 'sgd:lr=0.1:lr=0.2'");
  EXPECT_TRUE(contains(optimizer_refusal("adm"), "unknown optimizer 'adm' (did you mean 'adam'?)"));
  EXPECT_TRUE(contains(optimizer_refusal("sgd:beta1=0.9"), "the optimizer sgd has no setting 'beta1'"));
  EXPECT_TRUE(contains(optimizer_refusal(""), "must not be empty"));
  for (const char* text : {":", "sgd:", "sgd::lr=1", "sgd:=1", "sgd:lr=", "sgd:lr=x", "sgd:lr=nan", "sgd:lr=-1",
                           "sgd:lr=0.1,momentum=0.9", "sgd:nesterov=1", "adam:beta1=1", "adam:amsgrad=0.5", "SGD"}) {
    EXPECT_NE(optimizer_refusal(text), "") << text;
  }
}

TEST(InputShape, GoesBothWays) {
  for (const char* good : {"3x224x224", "10", "128:30522", "1x1x1x1x1x1"}) {
    const std::optional<InputShape> shape = parse_input_shape(good);
    ASSERT_TRUE(shape) << good;
    EXPECT_EQ(to_string(*shape), good);
  }
  EXPECT_EQ(parse_input_shape("16x2:100"), (InputShape{{16, 2}, 100}));
}

TEST(InputShape, IsRefused) {
  for (const char* bad : {"", "x", "3x", "3xx4", "0", "3x-1", "4:", "4:0", "1x1x1x1x1x1x1", "3.5", "9999999999"})
    EXPECT_FALSE(parse_input_shape(bad)) << bad;
}

}  // namespace
}  // namespace mpsbench::suite
