#include "model/optimizer.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench {
namespace {

using Settings = std::map<std::string, double>;

std::string problem(const std::string& name, const Settings& settings) {
  return tests::error_of([&] { static_cast<void>(model::complete_optimizer(name, settings)); });
}

// The defaults of torch.optim.
TEST(Optimizer, FillsInDefaults) {
  EXPECT_EQ(model::complete_optimizer("sgd", {{"lr", 0.1}}).settings,
            (Settings{{"lr", 0.1}, {"momentum", 0}, {"weight_decay", 0}, {"dampening", 0}, {"nesterov", 0}}));
  EXPECT_EQ(model::complete_optimizer("adam", {}).settings, (Settings{{"lr", 1e-3},
                                                                      {"beta1", 0.9},
                                                                      {"beta2", 0.999},
                                                                      {"eps", 1e-8},
                                                                      {"weight_decay", 0},
                                                                      {"amsgrad", 0}}));
  EXPECT_EQ(model::complete_optimizer("adamw", {}).settings.at("weight_decay"), 1e-2);
}

TEST(Optimizer, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(problem("adamww", {}),
            "unknown optimizer 'adamww' (did you mean 'adamw'?); known: sgd, adam, adamw, none");
  EXPECT_EQ(problem("sgd", {{"momentun", 0.9}}),
            "the optimizer sgd has no setting 'momentun' (did you mean 'momentum'?)");
  EXPECT_NE(problem("sgd", {{"lr", -1}}), "");
  EXPECT_NE(problem("sgd", {{"lr", std::numeric_limits<double>::quiet_NaN()}}), "");
  EXPECT_NE(problem("adam", {{"beta1", 1}}), "");
  EXPECT_EQ(problem("adam", {{"amsgrad", 0.5}}), "the optimizer setting 'amsgrad' must be 0 or 1");
  EXPECT_NE(problem("sgd", {{"nesterov", 1}}), "");
  EXPECT_EQ(problem("sgd", {{"nesterov", 1}, {"momentum", 0.9}}), "");
}

TEST(Optimizer, ReadsSwitchesBothWays) {
  for (const char* text : {R"({"name": "adam", "amsgrad": true})", R"({"name": "adam", "amsgrad": 1})"}) {
    const tests::json document = tests::json::parse(text);
    EXPECT_EQ(model::read_optimizer(base::Reader(document, "f")).settings.at("amsgrad"), 1);
  }
}

}  // namespace
}  // namespace mpsbench
