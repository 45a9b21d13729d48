#include "output/console/console_table.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::output {

namespace {

schema::CaseResult on(const schema::DeviceId& device) {
  schema::CaseResult result;
  result.spec = tests::sample_spec("mlp", schema::Mode::train, 1024);
  result.spec.device = device;
  return result;
}

TEST(Plain, PrintsTheArticlesLines) {
  schema::Report report;
  report.cases = {on("cpu"), on("mps"), on("cuda:1"), on("cpu"), on("cpu")};
  report.cases[0].metrics.loop_seconds = 12.34564;
  report.cases[1].status = schema::Status::unsupported;
  report.cases[1].failure = schema::Failure{"device", "MPS device not found: this is no Mac", ""};
  report.cases[2].status = schema::Status::oom;
  report.cases[3].status = schema::Status::unsupported;
  report.cases[3].failure = schema::Failure{"device", "the CPU has no graphs", ""};
  report.cases[4].status = schema::Status::failed;
  report.cases[4].failure = schema::Failure{"exception", "\x1b[2J\n", ""};
  EXPECT_EQ(plain_lines(report),
            "CPU Time: 12.3456 seconds\nMPS device not found.\nCUDA:1: out of memory\n"
            "CPU: not supported (the CPU has no graphs)\nCPU: failed (?[2J?)\n");
}

using schema::Mode;
using schema::Status;

schema::CaseResult result(const std::string& model, Mode mode, std::int64_t batch, double step, double share) {
  schema::CaseResult result;
  result.spec = tests::sample_spec(model, mode, batch);
  result.metrics.step_seconds.median = step;
  result.metrics.step_seconds.ci95 = schema::Interval{step * (1 - share), step * (1 + share)};
  const double rate = static_cast<double>(batch) / step;
  result.metrics.rows_per_second = {rate, std::nullopt};
  const double steps = 50'000.0 / static_cast<double>(batch);
  result.metrics.epoch_seconds = {steps * step, schema::Interval{steps * step * 0.99, steps * step * 1.01},
                                  "projected"};
  result.metrics.flops_per_second = rate * 24.5e9;
  result.metrics.peak_resident_bytes = 6'549'825'126;
  return result;
}

schema::Report three_networks() {
  schema::Report report;
  report.cases = {result("resnet50", Mode::train, 32, 0.1412, 0.006),
                  result("resnet50", Mode::infer, 1, 0.00981, 0.074), result("vgg16", Mode::train, 128, 1, 0)};
  report.cases[1].metrics.step_seconds.p90 = 0.0109;
  report.cases[1].flags = {"noisy"};
  report.cases[2].metrics = {};
  report.cases[2].status = Status::oom;
  report.cases[2].failure = schema::Failure{"oom", "needs 14.2 GiB, 9.8 free", ""};
  return report;
}

TEST(ConsoleTable, Golden) {
  EXPECT_EQ(console_table(three_networks(), false),
            "model     mode   device  prec  batch            step      p90  rows/s  TFLOP/s  peak mem  flags\n"
            "resnet50  train  cpu     fp32     32   141 ms ±0.6 %        –   226.6     5.55   6.1 GiB\n"
            "resnet50  infer  cpu     fp32      1  9.81 ms ±7.4 %  10.9 ms   101.9     2.50   6.1 GiB  noisy\n"
            "vgg16     train  cpu     fp32    128               –        –       –        –         –  out of "
            "memory "
            "(needs 14.2 GiB, 9.8 free)\n");
}

TEST(ConsoleTable, ColourChangesNothingElse) {
  const std::string plain = console_table(three_networks(), false);
  std::string coloured = console_table(three_networks(), true);
  EXPECT_NE(coloured, plain);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, plain);
}

TEST(ConsoleTable, HostileReportCannotSteerTheTerminal) {
  schema::Report report = three_networks();
  report.cases[0].spec.model = "x\x1b]0;title\x07\r\n";
  report.cases[1].flags = {"\x1b[2J"};
  report.cases[2].failure->message = std::string(500, 'm') + "\n\x1b[0m";
  const std::string text = console_table(report, false);
  EXPECT_EQ(text.find_first_of("\x1b\x07\r"), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_LT(text.size(), 1'500U);
}

TEST(ConsoleTable, NoCases) {
  EXPECT_EQ(console_table({}, false),
            "model  mode  device  prec  batch  step  p90  rows/s  GFLOP/s  peak mem  flags\n");
}

TEST(HeaderLine, DescribesTheMachine) {
  schema::RunRecord record = tests::sample_run({}, 1);
  EXPECT_EQ(header_line(record.tool, record.host, "cpu"),
            "mpsbench 0.1.0 · AMD EPYC, 2 cores, 8 GB · Debian GNU/Linux 12 x86_64 · LibTorch 2.13.0+cpu · device "
            "cpu");
  record.host.environment = {{"OMP_NUM_THREADS", "2"}, {"PYTORCH_ENABLE_MPS_FALLBACK", "1"}};
  const std::string line = header_line(record.tool, record.host, "mps");
  EXPECT_TRUE(line.ends_with(" · device mps · PYTORCH_ENABLE_MPS_FALLBACK=1")) << line;
  record = tests::sample_run({}, 1);
  record.host.libtorch.reset();
  record.host.cpu.physical_cores = 1;
  record.host.cpu.model = "evil\x1b[31m";
  EXPECT_EQ(header_line(record.tool, record.host, "cpu (auto)"),
            "mpsbench 0.1.0 · evil?[31m, 1 core, 8 GB · Debian GNU/Linux 12 x86_64 · device cpu (auto)")
      << "before a worker has spoken";
}

// Adds to REPORT a definition whose input has SHAPE.
schema::Report with_definition(schema::Report report, const nlohmann::json& shape) {
  report.run.definitions["d"] = tests::sample_definition(shape);
  for (schema::CaseResult& result : report.cases) result.definition_sha256 = "d";
  return report;
}

// Another case of the first network and mode, with this rate.
schema::CaseResult& add_case(schema::Report& report, double rate) {
  report.cases.push_back(report.cases[0]);
  report.cases.back().metrics.rows_per_second.value = rate;
  return report.cases.back();
}

TEST(SummarySentence, TellsOfTheFastestTrainingCase) {
  EXPECT_EQ(summary_sentence(with_definition(three_networks(), {3, 2, 2})),
            "resnet50 trains 227 images a second here: an epoch of 50,000 takes 3 min 41 s ±1.0 % (projected).");
  schema::Report report = three_networks();
  report.cases[0].status = Status::crashed;
  EXPECT_EQ(summary_sentence(with_definition(report, {8})),
            "resnet50 processes 102 rows a second here: a pass over 50,000 takes 8 min 10 s ±1.0 % (projected).")
      << "the first network that infers, if none trains";
  for (schema::CaseResult& result : report.cases) result.status = Status::crashed;
  EXPECT_EQ(summary_sentence(report), "No case was measured without a failure.");
  report.cases.erase(report.cases.begin(), report.cases.begin() + 2);
  EXPECT_EQ(summary_sentence(report), "No case was measured.");
}

TEST(SummarySentence, NamesGenerationBesideOtherModes) {
  schema::Report report = three_networks();
  for (const std::int64_t batch : {1, 8}) {
    schema::CaseResult generating = result("gpt2", Mode::generate, batch, 0.1, 0.01);
    generating.metrics.tokens_per_second.value = static_cast<double>(batch) / 0.1;
    generating.metrics.rows_per_second = {};
    generating.metrics.epoch_seconds = {};
    report.cases.push_back(generating);
  }
  EXPECT_EQ(summary_sentence(report),
            "resnet50 trains 227 rows a second here: an epoch of 50,000 takes 3 min 41 s ±1.0 % (projected); gpt2 "
            "generates 80.0 tokens a second at batch 8.");
  std::ranges::rotate(report.cases, report.cases.begin() + 3);
  report.cases[2].status = Status::crashed;
  EXPECT_TRUE(summary_sentence(report).starts_with("resnet50 processes 102 rows a second here")) << "without training";
  report.cases.resize(2);
  EXPECT_EQ(summary_sentence(report), "gpt2 generates 80.0 tokens a second here at batch 8.");
}

TEST(SummarySentence, SaysWhatElseIsWorthKnowing) {
  struct Row {
    void (*change)(schema::Report& report);
    const char* part;
  };
  const Row rows[] = {
      {[](schema::Report& r) { add_case(r, 900).spec.threads = 1; },
       "resnet50 trains 900 rows a second here with 1 thread: "},
      {[](schema::Report& r) {
         schema::CaseSpec& spec = add_case(r, 900).spec;
         spec.batch_size = 256;
         spec.precision = schema::Precision::bf16;
       },
       "resnet50 trains 900 rows a second here at batch 256 in bf16: "},
      {[](schema::Report& r) { add_case(r, 544).spec.device = "cuda"; },
       "resnet50 trains 544 rows a second here on cuda: "},
      {[](schema::Report& r) { add_case(r, 544).spec.device = "cuda"; },
       "(projected). The fastest on cpu is 2.4 times slower."},
      {[](schema::Report& r) {
         r.cases[0].metrics.forward_seconds = 0.031;
         r.cases[0].metrics.backward_seconds = 0.062;
         r.cases[0].metrics.update_seconds = 0.007;
       },
       "(projected). Of a step, 31 % is forward pass, 62 % backward pass and 7 % update."},
      {[](schema::Report& r) { r.cases[0].metrics.epoch_seconds.ci95.reset(); },
       ": an epoch of 50,000 takes 3 min 41 s ±? (projected)."},
      {[](schema::Report& r) { r.cases[0].metrics.epoch_seconds.ci95 = schema::Interval{2, 25'000}; },
       ": an epoch of 50,000 takes 3 min 41 s −>90 % +>900 % (projected)."},
      {[](schema::Report& r) { r.cases[0].metrics.epoch_seconds.value.reset(); }, "227 rows a second here."},
      {[](schema::Report& r) {
         r.cases[0].flags = {"launch-bound"};
         r.cases[0].spec.device = "cuda:1";
       },
       "try a larger batch or --engine graph."},
      {[](schema::Report& r) {
         r.cases[0].flags = {"launch-bound"};
         r.cases[0].spec.device = "cuda:1";
         r.cases[0].spec.engine = schema::Engine::graph;
       },
       "(launch-bound): try a larger batch."},
      {[](schema::Report& r) {
         r.cases[0].flags = {"launch-bound"};
         r.cases[0].spec.device = "mps";  // no graphs on this device
       },
       "(launch-bound): try a larger batch."},
      {[](schema::Report& r) {
         r.cases[0].flags = {"input-bound"};
         r.cases[0].metrics.data_wait_share = 0.25;
       },
       "Steps spend 25 % of their time waiting for their batches (input-bound)."},
      // The remarks say the others in words.
      {[](schema::Report& r) { r.cases[0].flags = {"noisy", "drifting", "background-load", "few-samples"}; },
       "(projected). Flagged drifting, few-samples."}};
  for (const auto& [change, part] : rows) {
    schema::Report report = three_networks();
    change(report);
    const std::string said = summary_sentence(report);
    EXPECT_TRUE(std::string(part).ends_with('.') ? said.ends_with(part) : said.starts_with(part)) << said;
  }
}

TEST(ConsoleReport, EndsWithWhatMakesTheFiguresUncertain) {
  schema::Report report = three_networks();
  EXPECT_TRUE(console_report(report, false).ends_with("(projected).\n")) << "nothing was measured in launches";
  report.cases[0].launches = {tests::good_launch({0.14})};
  report.cases[0].flags = {"within-launch"};
  EXPECT_TRUE(console_report(report, false)
                  .ends_with("(projected).\n1 of 3 cases has only one good launch, so nothing shows how much launches "
                             "differ: use -r 3.\n"));
}

}  // namespace

}  // namespace mpsbench::output
