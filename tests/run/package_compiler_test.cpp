#include "run/packages/package_compiler.hpp"

#include "model/build_network_plan.hpp"
#include "run/support.hpp"

#include <unistd.h>

#include <set>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using tests::ScopedVariable;
using tests::Scratch;

class FindCompilerTest : public testing::Test {
 protected:
  // A program that could be Python.
  fs::path program(const std::string& name) const {
    const fs::path file = scratch_.write(name, "#!/bin/sh\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  // What a worker says whose LibTorch is that of the Python package torch in an environment.
  supervise::ProbeOutcome answer() const {
    scratch_.write("env/lib/python3.12/site-packages/torch/__init__.py", "");
    supervise::ProbeOutcome answer;
    answer.libtorch.version = "2.13.0+cpu";
    answer.libtorch_folder = (scratch_ / "env/lib/python3.12/site-packages/torch/lib").string();
    return answer;
  }

  static std::string refusal(const supervise::ProbeOutcome& answer) {
    return tests::error_of(ErrorKind::no_device, [&] { (void)find_compiler(answer); });
  }

  Scratch scratch_;
  ScopedVariable chosen_{"MPSBENCH_PYTHON", nullptr};
  ScopedVariable path_{"PATH", scratch_.root().c_str()};
};

TEST_F(FindCompilerTest, TakesThePythonOfTheWorkersPyTorch) {
  const fs::path python3 = program("env/bin/python3");
  EXPECT_EQ(find_compiler(answer()).python, python3);
  const fs::path same_version = program("env/bin/python3.12");
  const Compiler compiler = find_compiler(answer());
  EXPECT_EQ(compiler.python, same_version);
  EXPECT_EQ(compiler.packages, scratch_ / "env/lib/python3.12/site-packages");
  EXPECT_EQ(compiler.libtorch, "2.13.0");
}

TEST_F(FindCompilerTest, TakesAPythonOfTheSameVersionFromThePath) {
  EXPECT_TRUE(tests::contains(refusal(answer()), "2.13.0"));
  program("python3");  // may be any version
  EXPECT_TRUE(tests::contains(refusal(answer()), "2.13.0"));
  const fs::path python = program("python3.12");
  EXPECT_EQ(find_compiler(answer()).python, python);
}

TEST_F(FindCompilerTest, PrefersTheOneThatTheUserChose) {
  program("env/bin/python3");
  const fs::path mine = program("mine");
  for (const char* chosen : {mine.c_str(), "mine"}) {  // a path, or a name that is looked up on PATH
    const ScopedVariable variable("MPSBENCH_PYTHON", chosen);
    EXPECT_EQ(find_compiler(answer()).python, mine);
  }
}

TEST_F(FindCompilerTest, SaysWhatIsMissing) {
  supervise::ProbeOutcome other = answer();
  other.libtorch_folder = (scratch_ / "libtorch/lib").string();  // no Python package
  program("python3");
  const std::string text = refusal(other);
  EXPECT_TRUE(tests::contains(text, "pip install torch==2.13.0")) << text;
  EXPECT_TRUE(tests::contains(text, "MPSBENCH_PYTHON")) << text;
  const ScopedVariable chosen("MPSBENCH_PYTHON", "/nowhere/python");
  EXPECT_EQ(refusal(other),
            "MPSBENCH_PYTHON: /nowhere/python is not a program; set it to the path, or the name on PATH, of a "
            "Python that has torch 2.13.0, or unset it");
}

TEST_F(FindCompilerTest, RefusesACacheWhosePathHasASpace) {
  program("env/bin/python3");
  const ScopedVariable cache("XDG_CACHE_HOME", (scratch_ / "my cache").c_str());
  const std::string text = refusal(answer());
  EXPECT_TRUE(tests::contains(text, "my cache/mpsbench: PyTorch cannot compile in a folder")) << text;
  EXPECT_TRUE(tests::contains(text, "; set XDG_CACHE_HOME to another folder")) << text;
}

class CompilePackageTest : public testing::Test {
 protected:
  // The compiler is the shell script CODE, with the request in $request.
  Compiler compiler(const std::string& code) const {
    const fs::path python = scratch_.write("python", "#!/bin/sh\nread -r request\n" + code + "\n");
    fs::permissions(python, fs::perms::owner_all);
    return {.python = python, .script = "compile.py", .packages = "/packages", .libtorch = "2.13.0"};
  }

  double compile(const std::string& code, double timeout_seconds = 60) {
    return compile_package(compiler(code), {{"mode", "train"}}, scratch_ / "p.pt2", scratch_.root(), timeout_seconds,
                           interrupt_, [this](const std::string& stage) { stages_.push_back(stage); });
  }

  // Returns the error, which must come.
  CompileError failure(const std::string& code, double timeout_seconds = 60) {
    try {
      compile(code, timeout_seconds);
    } catch (const CompileError& error) {
      return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return {"", "", false};
  }

  Scratch scratch_;
  supervise::Interrupt interrupt_;
  std::vector<std::string> stages_;
};

TEST_F(CompilePackageTest, TellsTheCompilerAllItNeeds) {
  const std::string here = "cd " + scratch_.root().string() + "; ";
  EXPECT_GT(compile(here + "echo \"$request\" > r; echo \"$@\" > arguments; echo \"$TMPDIR\" > folder; " +
                    "echo tracing >&3; echo done > p.pt2"),
            0);
  const auto request = nlohmann::json::parse(tests::content(scratch_ / "r"));
  EXPECT_EQ(request, (nlohmann::json{{"mode", "train"},
                                     {"package", (scratch_ / "p.pt2").string()},
                                     {"torch_folder", "/packages"},
                                     {"libtorch", "2.13.0"},
                                     {"front", ::getpid()}}));
  EXPECT_EQ(tests::content(scratch_ / "arguments"), "-I -B compile.py\n");
  EXPECT_EQ(tests::content(scratch_ / "folder"), scratch_.root().string() + "\n");
  EXPECT_EQ(stages_, std::vector<std::string>{"tracing"});
}

TEST_F(CompilePackageTest, SaysWhyThereIsNoPackage) {
  const CompileError failed = failure("echo before; echo the reason >&2; exit 1");
  EXPECT_TRUE(tests::contains(failed.what(), "ended with exit code 1: the reason")) << failed.what();
  EXPECT_TRUE(tests::contains(failed.what(), "python does not run Python code; set MPSBENCH_PYTHON"))
      << failed.what() << ": it told nothing";
  EXPECT_TRUE(tests::contains(failed.detail, "before\nthe reason")) << failed.detail;
  const CompileError later = failure("echo tracing >&3; echo the reason >&2; exit 1");
  EXPECT_TRUE(tests::contains(later.what(), "ended with exit code 1: the reason")) << later.what();
  EXPECT_FALSE(tests::contains(later.what(), "MPSBENCH_PYTHON")) << later.what();
  EXPECT_FALSE(failed.is_timeout);
  EXPECT_STREQ(failure("echo tracing >&3").what(), "compiling failed: there is no package");
  EXPECT_TRUE(tests::contains(failure("exit 0").what(), "python does not run Python code; set MPSBENCH_PYTHON"));
}

TEST_F(CompilePackageTest, NamesTheStageOfACrash) {
  const std::string crashed = "compiling failed: " + (scratch_ / "python").string() + " was killed by SIGSEGV";
  const auto crash_after = [&](const std::string& stage) {
    return std::string(failure("echo " + stage + " >&3; echo a warning >&2; kill -SEGV $$").what());
  };
  const ScopedVariable none("CXX", nullptr);
  EXPECT_EQ(crash_after("tracing"), crashed + " while tracing");
  EXPECT_EQ(crash_after("importing torch"), crashed +
                                                " while importing torch; set MPSBENCH_PYTHON to another "
                                                "Python that has torch 2.13.0");
  const std::string cure = "; its C++ compiler may be the cause: set CXX to another one";
  EXPECT_EQ(crash_after("compiling backward"), crashed + " while compiling backward" + cure);
  const ScopedVariable chosen("CXX", "/opt/bin/g++");
  EXPECT_EQ(crash_after("running forward"), crashed + " while running forward" + cure + ", or unset it");
  const std::string silent = failure("kill -SEGV $$").what();
  EXPECT_TRUE(tests::contains(silent, "python does not run Python code; set MPSBENCH_PYTHON")) << silent;
  const std::string checked = tests::error_of(
      ErrorKind::no_device, [&] { check_compiler(compiler("echo importing torch >&3; kill -ILL $$"), interrupt_); });
  EXPECT_TRUE(tests::contains(checked, "was killed by SIGILL while importing torch; set MPSBENCH_PYTHON")) << checked;
}

TEST_F(CompilePackageTest, StopsACompilerThatTakesTooLong) {
  const CompileError failed = failure("sleep 60", 0.05);
  EXPECT_TRUE(failed.is_timeout);
  EXPECT_TRUE(tests::contains(failed.what(), "within 50.0 ms; raise --timeout")) << failed.what();
}

TEST_F(CompilePackageTest, ChecksWithoutCompiling) {
  const std::string code = "echo importing >&3; echo \"$@\" > " + (scratch_ / "arguments").string();
  check_compiler(compiler(code), interrupt_);
  EXPECT_EQ(tests::content(scratch_ / "arguments"), "-I -B compile.py --check 2.13.0 /packages\n");
  const std::string why = tests::error_of(
      ErrorKind::no_device, [&] { check_compiler(compiler("echo no torch here >&2; exit 1"), interrupt_); });
  EXPECT_TRUE(tests::contains(why, "no torch here")) << why;
  const std::string silent =
      tests::error_of(ErrorKind::no_device, [&] { check_compiler(compiler("exit 0"), interrupt_); });
  EXPECT_TRUE(tests::contains(silent, "python does not run Python code; set MPSBENCH_PYTHON")) << silent;
}

using schema::DeviceId;

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
  schema::CaseSpec infers = spec();
  infers.mode = schema::Mode::infer;
  EXPECT_EQ(request_of(infers, true), request_of(infers, false)) << "it drops nothing out";
  schema::CaseSpec gpu = spec();
  gpu.device = "cuda:1";
  schema::CaseSpec threads = gpu;
  threads.threads = 9;
  EXPECT_EQ(request_of(gpu), request_of(threads));
  EXPECT_EQ(request_of(gpu).at("device"), "cuda") << "which of several GPUs it is does not matter";
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

  std::string key(const DeviceId& device = "cpu") { return package_key({{"mode", "train"}}, device, host_, python_); }

  Scratch compiler_;
  Compiler python_{.python = "bin/python",
                   .script = compiler_ / "compile_package.py",
                   .packages = {},
                   .libtorch = "2.13.0",
                   .build = "2.13.0+cpu"};
  schema::HostInfo host_;
};

TEST_F(PackageKeyTest, DependsOnAllThatMakesThePackage) {
  EXPECT_EQ(key(), key());
  EXPECT_EQ(key().size(), 64U);
  std::set<std::string> keys{package_key({{"mode", "infer"}}, "cpu", host_, python_)};
  std::size_t changes = 1;
  const auto add = [&] {
    for (const DeviceId& device : {DeviceId("cpu"), DeviceId("cuda"), DeviceId("cuda:1")})
      keys.insert(key(device));  // two models of GPU
    changes += 3;
  };
  add();
  python_.build = "2.13.0+cu130";
  add();
  python_.python = "other/python";
  add();
  host_.cpu.model = "Xeon";  // also on a GPU, the package has code for the processor
  add();
  host_.cpu.features = {"avx512"};
  add();
  for (const char* code : {"print(2)", "print(3)"}) {
    compiler_.write("b.py", code);
    add();
  }
  for (const char* name : {"TORCHINDUCTOR_MAX_AUTOTUNE", "CXX"}) {
    const ScopedVariable variable(name, "another");
    add();
  }
  EXPECT_EQ(keys.size(), changes);
}

TEST_F(PackageKeyTest, DependsOnNothingElse) {
  host_.accelerators[1].name = "H200";
  EXPECT_EQ(key("cuda:1"), key("cuda")) << "the same model of GPU";
  const std::string before = key();
  compiler_.write("notes.txt", "no code");
  for (const char* name : {"MPSBENCH_TEST_OF_KEYS", "TORCHELASTIC_RUN_ID", "TORCH_NCCL_BLOCKING_WAIT", "TORCH_LOGS",
                           "PYTORCH_CUDA_ALLOC_CONF"}) {
    const ScopedVariable other(name, "1");
    EXPECT_EQ(key(), before) << name;
  }
}

}  // namespace
}  // namespace mpsbench::run
