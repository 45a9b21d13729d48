#include "schema/weights_check.hpp"

#include "schema/samples.hpp"
#include "support/errors.hpp"

namespace mpsbench::schema {
namespace {

using tests::usage_error_of;

base::SafetensorsHeader header_of(const std::map<std::string, Shape>& shapes) {
  base::SafetensorsHeader header;
  for (const auto& [name, shape] : shapes) header.tensors[name] = {"F32", shape, 0, 0};
  return header;
}

std::string refusal(const std::map<std::string, Shape>& shapes,
                    const NetworkPlan& plan = tests::full_plan()) {
  return usage_error_of([&] { require_fitting_weights(header_of(shapes), plan, "w.safetensors"); });
}

TEST(WeightsCheck, TakesExactlyTheNetworksTensors) {
  require_fitting_weights(header_of({{"fc.weight", {4, 8}}, {"bn.num_batches_tracked", {}}}),
                          tests::full_plan(), "w");
}

TEST(WeightsCheck, TakesAFileWithoutNumBatchesTracked) {
  require_fitting_weights(header_of({{"fc.weight", {4, 8}}}), tests::full_plan(), "w");
}

TEST(WeightsCheck, NamesWhatIsMissing) {
  EXPECT_EQ(refusal({}), "w.safetensors: these are not the weights of 'one-layer'; missing: fc.weight");
}

TEST(WeightsCheck, NamesBothShapes) {
  EXPECT_EQ(refusal({{"fc.weight", {8, 4}}}),
            "w.safetensors: these are not the weights of 'one-layer'; wrong shape: fc.weight is [8, 4] "
            "instead "
            "of [4, 8]");
  EXPECT_TRUE(tests::contains(refusal({{"fc.weight", {4, 8}}, {"bn.num_batches_tracked", {1}}}),
                              "bn.num_batches_tracked is [1] instead of []"));
}

TEST(WeightsCheck, NamesWhatTheNetworkDoesNotHave) {
  EXPECT_EQ(refusal({{"fc.weight", {4, 8}}, {"head.bias", {4}}}),
            "w.safetensors: these are not the weights of 'one-layer'; unknown: head.bias");
}

TEST(WeightsCheck, SaysEverythingInOneShortLine) {
  NetworkPlan plan = tests::full_plan();
  for (int i = 0; i < 9; ++i) {
    NetworkTensor tensor;
    tensor.name = "layer" + std::to_string(i) + ".weight";
    tensor.role = "weight";
    tensor.shape = {2};
    plan.nodes[0].tensors.push_back(tensor);
  }
  EXPECT_EQ(refusal({{"fc.weight", {4}}, {"x", {}}}, plan),
            "w.safetensors: these are not the weights of 'one-layer'; missing: layer0.weight, layer1.weight, "
            "layer2.weight and 6 more; wrong shape: fc.weight is [4] instead of [4, 8]; unknown: x");
}

}  // namespace
}  // namespace mpsbench::schema
