#include "run/packages/package_key.hpp"

#include "model/build_network_plan.hpp"
#include "run/support.hpp"

#include <functional>
#include <set>

namespace mpsbench::run {
namespace {

using schema::DeviceId;
using tests::ScopedVariable;
using tests::Scratch;

schema::CaseSpec spec() {
  return tests::sample_spec("mlp", schema::Mode::train, 64);
}

schema::NetworkPlan plan_of(const schema::CaseSpec& spec) {
  const schema::RunRecord record = tests::sample_run({spec}, 1);
  return model::case_network_plan(record.run, record.run.planned[0].definition_sha256, spec);
}

nlohmann::ordered_json request_of(const schema::CaseSpec& spec, bool with_dropout = true) {
  return compile_request(spec, plan_of(spec), with_dropout);
}

TEST(CompileRequest, DependsOnWhatChangesTheCode) {
  using Spec = schema::CaseSpec;
  const std::vector<std::function<void(Spec&)>> changes{
      [](Spec&) {},
      [](Spec& one) { one.mode = schema::Mode::infer; },
      [](Spec& one) { one.batch_size = 65; },
      [](Spec& one) { one.device = "cuda"; },
      [](Spec& one) { one.precision = schema::Precision::bf16; },
      [](Spec& one) { one.channels_last = true; },
      [](Spec& one) { one.classes = 5; },
      [](Spec& one) { one.loss = "mse"; },
      [](Spec& one) { one.threads = 3; },
      [](Spec& one) { one.compile_mode = schema::CompileMode::max_autotune; }};
  std::set<std::string> requests;
  for (const auto& change : changes) {
    Spec changed = spec();
    change(changed);
    requests.insert(request_of(changed).dump());
  }
  requests.insert(request_of(spec(), false).dump());
  EXPECT_EQ(requests.size(), changes.size() + 1);
}

TEST(CompileRequest, DependsOnNothingElse) {
  schema::CaseSpec other = spec();
  other.model = "another name";
  other.optimizer = {"adam", {{"lr", 0.1}}};
  other.seed = 8;
  other.rows = 100;
  other.engine = schema::Engine::compiled_graph;
  other.compile_mode = schema::CompileMode::usual;
  EXPECT_EQ(request_of(other), request_of(spec()));
}

TEST(CompileRequest, OfInferenceDropsNothingOut) {
  schema::CaseSpec infers = spec();
  infers.mode = schema::Mode::infer;
  EXPECT_EQ(request_of(infers, true), request_of(infers, false));
}

TEST(CompileRequest, OfAGpuDoesNotDependOnThreads) {
  schema::CaseSpec a = spec();
  a.device = "cuda:1";
  schema::CaseSpec b = a;
  b.threads = 9;
  EXPECT_EQ(request_of(a), request_of(b));
  EXPECT_EQ(request_of(a).at("device"), "cuda") << "which of several GPUs it is does not matter";
}

TEST(DropsOut, LooksAtEveryProbability) {
  schema::NetworkPlan plan;
  plan.nodes.resize(2);
  plan.nodes[0].type = "linear";
  plan.nodes[1].type = "dropout";
  plan.nodes[1].options = {{"p", 0.0}};
  EXPECT_FALSE(drops_out(plan));
  plan.nodes[1].options["p"] = 0.5;
  EXPECT_TRUE(drops_out(plan));
  plan.nodes[1].type = "something else";
  EXPECT_FALSE(drops_out(plan));
  plan.nodes[0].options = {{"dropout_p", 0.1}};  // attention
  EXPECT_TRUE(drops_out(plan));
}

class PackageKeyTest : public testing::Test {
 protected:
  PackageKeyTest() {
    compiler_.write("a.py", "print(1)");
    host_.cpu.model = "EPYC";
    host_.os.arch = "x86_64";
    host_.accelerators = {{"cuda", "H200", std::nullopt}, {"cuda:1", "L4", std::nullopt}};
  }

  std::string key(const DeviceId& device = "cpu") {
    return package_key({{"mode", "train"}}, device, host_, python_, compiler_.root());
  }

  Scratch compiler_;
  Compiler python_{.python = "bin/python", .script = {}, .packages = {}, .libtorch = "2.13.0", .build = "2.13.0+cpu"};
  schema::HostInfo host_;
};

TEST_F(PackageKeyTest, IsTheSameForTheSame) {
  EXPECT_EQ(key(), key());
  EXPECT_EQ(key().size(), 64U);
}

TEST_F(PackageKeyTest, DependsOnRequestLibtorchAndPython) {
  const std::string before = key();
  EXPECT_NE(package_key({{"mode", "infer"}}, "cpu", host_, python_, compiler_.root()), before);
  python_.build = "2.13.0+cu130";
  const std::string other_build = key();
  EXPECT_NE(other_build, before);
  python_.python = "other/python";
  EXPECT_NE(key(), other_build);
}

TEST_F(PackageKeyTest, DependsOnTheProcessorThatRunsIt) {
  const std::string on_cpu = key();
  const std::string on_gpu = key("cuda");
  EXPECT_NE(key("cuda:1"), on_gpu) << "another model of GPU";
  host_.accelerators[1].name = "H200";
  EXPECT_EQ(key("cuda:1"), on_gpu) << "the same model of GPU";
  host_.cpu.model = "Xeon";
  EXPECT_NE(key(), on_cpu);
  EXPECT_NE(key("cuda"), on_gpu) << "the package also has code for the processor";
  host_.cpu.model = "EPYC";
  host_.cpu.features = {"avx512"};
  EXPECT_NE(key(), on_cpu);
}

TEST_F(PackageKeyTest, DependsOnTheCompilersFiles) {
  const std::string before = key();
  compiler_.write("notes.txt", "no code");
  EXPECT_EQ(key(), before);
  compiler_.write("b.py", "print(2)");
  const std::string more = key();
  EXPECT_NE(more, before);
  compiler_.write("b.py", "print(3)");
  EXPECT_NE(key(), more);
}

TEST_F(PackageKeyTest, DependsOnTheVariablesThatSetTheCompiler) {
  const std::string before = key();
  {
    const ScopedVariable inductor("TORCHINDUCTOR_MAX_AUTOTUNE", "1");
    EXPECT_NE(key(), before);
  }
  for (const char* name : {"MPSBENCH_TEST_OF_KEYS", "TORCHELASTIC_RUN_ID", "TORCH_NCCL_BLOCKING_WAIT", "TORCH_LOGS",
                           "PYTORCH_CUDA_ALLOC_CONF"}) {
    const ScopedVariable other(name, "1");
    EXPECT_EQ(key(), before) << name;
  }
  const ScopedVariable gcc("CXX", "/opt/bin/another-compiler");
  EXPECT_NE(key(), before);
}

}  // namespace
}  // namespace mpsbench::run
