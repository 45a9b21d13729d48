#include "nn/registry.hpp"

#include "base/error.hpp"
#include "model/layer_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::nn {
namespace {

// The registry has exactly the types that the planner accepts, except for model files: they are a separate
// nn::Model, not a layer.
TEST(Registry, KnowsExactlyThePlannersTypes) {
  std::vector<std::string> planners = model::layer_type_names();
  std::erase(planners, schema::kScriptLayer);
  std::erase(planners, schema::kPackageLayer);
  std::sort(planners.begin(), planners.end());
  EXPECT_EQ(layer_types(), planners);
}

TEST(Registry, RefusesAnUnknownType) {
  schema::NetworkNode plan;
  plan.name = "odd";
  plan.type = "no_such_layer";
  EXPECT_THROW((void)make_forward(Node(plan, {}, false, false)), base::Error);
}

TEST(Node, NamesAMissingOption) {
  schema::NetworkNode plan;
  plan.name = "fc";
  const Node node(plan, {}, false, false);
  try {
    (void)node.integer("groups");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "layer 'fc': the plan lacks the option 'groups'");
  }
}

}  // namespace
}  // namespace mpsbench::nn
