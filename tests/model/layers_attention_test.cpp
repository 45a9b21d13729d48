#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using schema::Shape;
using tests::json;

model::Graph expand(const char* layers) {
  const json document = {{"inputs", json::parse(R"([
      {"name": "ids", "dtype": "int64", "shape": [6], "fill": "integers", "high": 9},
      {"name": "present", "dtype": "int64", "shape": [6], "fill": "ones"}])")},
                         {"layers", json::parse(layers)}};
  return model::expand(base::Reader(document, "f"), model::Environment("the model"), 2, schema::Mode::train);
}

constexpr const char* kHeads = R"(
  {"type": "embedding", "num_embeddings": 9, "embedding_dim": 8}, {"type": "unflatten", "dim": 2, "sizes": [2, 4]},
  {"type": "transpose", "name": "q", "dim0": 1, "dim1": 2},)";

TEST(LayersAttention, CountsBothProductsAndTheirGradients) {
  const model::Graph graph =
      expand((std::string("[") + kHeads + R"({"type": "padding_mask", "name": "mask", "input": "present"},
       {"type": "scaled_dot_product_attention", "inputs": ["q", "q", "q", "mask"]}])")
                 .c_str());
  const schema::NetworkNode& attention = graph.layers.back().node;
  EXPECT_EQ(graph.layers[3].node.shape, (Shape{2, 1, 1, 6}));
  EXPECT_EQ(attention.shape, (Shape{2, 2, 6, 4}));
  EXPECT_EQ(attention.forward_macs, 2 * (2 * 2 * 6 * 6 * 4));
  EXPECT_EQ(attention.backward_macs, 2 * attention.forward_macs);
}

TEST(LayersAttention, PositionsAreOneRow) {
  EXPECT_EQ(expand(R"([{"type": "position_ids"}])").layers[0].node.shape, (Shape{1, 6}));
  EXPECT_EQ(
      expand(R"([{"type": "position_ids"}, {"type": "embedding", "num_embeddings": 6, "embedding_dim": 3}])")
          .layers[1]
          .node.shape,
      (Shape{1, 6, 3}));
  EXPECT_NE(
      tests::error_of([] {
        static_cast<void>(expand(
            R"([{"type": "position_ids"}, {"type": "embedding", "num_embeddings": 5, "embedding_dim": 3}])"));
      }).find("so this must be at least 6"),
      std::string::npos);
}

TEST(LayersAttention, RefusesWhatIsNoMask) {
  for (const char* rest : {R"({"type": "scaled_dot_product_attention", "inputs": ["q", "q", "q", "ids"]}])",
                           R"({"type": "padding_mask", "input": "ids"}])",
                           R"({"type": "padding_mask", "name": "m", "input": "present"},
                              {"type": "scaled_dot_product_attention", "inputs": ["q", "q", "q", "m"], "is_causal": true}])"}) {
    EXPECT_NE(tests::error_of([&] { static_cast<void>(expand((std::string("[") + kHeads + rest).c_str())); }),
              "")
        << rest;
  }
}

}  // namespace
}  // namespace mpsbench
