#include "output/console/plain.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

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
  report.cases = {on("cpu"), on("mps"), on("cuda:1"), on("cpu")};
  report.cases[0].metrics.loop_seconds = 12.34564;
  report.cases[1].status = schema::Status::unsupported;
  report.cases[1].failure = schema::Failure{"device", "MPS device not found: this is no Mac", ""};
  report.cases[2].status = schema::Status::oom;
  report.cases[3].status = schema::Status::unsupported;
  report.cases[3].failure = schema::Failure{"device", "the CPU has no graphs", ""};
  EXPECT_EQ(plain_lines(report),
            "CPU Time: 12.3456 seconds\nMPS device not found.\nCUDA:1: out of memory\n"
            "CPU: not supported (the CPU has no graphs)\n");
}

TEST(Plain, AFailuresWordsCannotSteerTheTerminal) {
  schema::Report report;
  report.cases = {on("cpu")};
  report.cases[0].status = schema::Status::failed;
  report.cases[0].failure = schema::Failure{"exception", "\x1b[2J\n", ""};
  const std::string text = plain_lines(report);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
}

}  // namespace
}  // namespace mpsbench::output
