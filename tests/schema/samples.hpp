// One value of each struct, with every field set, including those that may be null.
#pragma once

#include "schema/network_plan.hpp"
#include "schema/report.hpp"

namespace mpsbench::tests {

inline schema::Report full_report() {
  static const schema::Report kReport = schema::load_report(MPSBENCH_SOURCE_DIR "/tests/schema/golden/full.json");
  return kReport;
}

inline schema::RunInfo full_run() {
  return full_report().run;
}

inline schema::HostInfo full_host() {
  return full_report().host;
}

inline schema::CaseResult full_result() {
  return full_report().cases.at(0);
}

inline schema::CaseSpec full_spec() {
  return full_result().spec;
}

inline schema::Launch full_launch() {
  return full_result().launches.at(0);
}

inline schema::MeasureSpec full_measure() {
  return full_run().planned.at(0).measure;
}

inline schema::NetworkPlan full_plan() {
  schema::NetworkTensor weight;
  weight.name = "fc.weight";
  weight.role = "weight";
  weight.shape = {4, 8};
  weight.init = "uniform";
  weight.scale = 0.35355339059327373;
  weight.zero_row = 0;
  weight.quantized = {.bits = 8, .group = 8};
  schema::NetworkTensor count{
      "bn.num_batches_tracked", "num_batches_tracked", schema::DType::int64, {}, false, "zeros", 0, {}, false, {}};
  schema::NetworkNode node;
  node.name = "fc";
  node.type = "linear";
  node.options = {{"out_features", 4}, {"bias", false}, {"kernel", {3, 3}}, {"padding", nullptr}};
  node.inputs = {0};
  node.output = 1;
  node.release = {0};
  node.tensors = {weight, count};
  node.shape = {2, 4};
  node.forward_macs = 64;
  node.backward_macs = 128;
  schema::NetworkPlan plan;
  plan.model = "one-layer";
  plan.inputs = {{"input", schema::DType::float32, {2, 8}, "integers", 30522}};
  plan.nodes = {node};
  plan.slots = 2;
  plan.output = 1;
  plan.loss = "cross_entropy";
  plan.target_shape = {2};
  plan.target_dtype = schema::DType::int64;
  plan.target_high = 4;
  plan.parameters = 32;
  plan.trainable_parameters = 32;
  plan.forward_macs = 64;
  plan.backward_macs = 128;
  plan.parameter_bytes = 128;
  plan.input_bytes = 64;
  plan.activation_bytes = 32;
  return plan;
}

inline schema::Published full_published() {
  return {"a file",
          "https://example.org/a",
          {"older-script-variant", "coarse-resolution"},
          "The article says another figure.",
          2.5,
          {{"total_minutes", 51.44}}};
}

}  // namespace mpsbench::tests
