#include "run_benchmarks.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <ostream>
#include <ranges>
#include <streambuf>
#include <string_view>

namespace mpsbench::ops {
namespace {

constexpr std::string_view kOwnBuild = "Library was built as DEBUG";

// Passes lines on to stderr, except that one.
class ErrorLines final : public std::streambuf {
 protected:
  int_type overflow(int_type character) override {
    if (character == traits_type::eof()) return character;
    line_ += traits_type::to_char_type(character);
    if (line_.back() != '\n') return character;
    if (line_.find(kOwnBuild) == std::string::npos) std::fputs(line_.c_str(), stderr);
    line_.clear();
    return character;
  }

 private:
  std::string line_;
};

// Google Benchmark would write the lines about the machine into the file, too.
template <typename Reporter>
class FileReporter final : public Reporter {
 public:
  using Reporter::Reporter;

  bool ReportContext(const benchmark::BenchmarkReporter::Context& context) override {
    this->SetErrorStream(&nowhere_);
    return Reporter::ReportContext(context);
  }

 private:
  std::ostream nowhere_{nullptr};
};

// Returns the value of OPTION, or an empty text if WORDS do not have it.
std::string value_of(const std::vector<std::string>& words, std::string_view option) {
  for (const std::string& word : words | std::views::reverse) {
    if (word.starts_with(option) && word.size() > option.size() && word[option.size()] == '=')
      return word.substr(option.size() + 1);
  }
  return "";
}

// Returns null if Google Benchmark's own does.
std::unique_ptr<benchmark::BenchmarkReporter> file_reporter(const std::vector<std::string>& words) {
  const std::string format = value_of(words, "--benchmark_out_format");
  if (value_of(words, "--benchmark_out").empty()) return nullptr;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  if (format == "csv") return std::make_unique<FileReporter<benchmark::CSVReporter>>();
#pragma GCC diagnostic pop
  if (format == "console")
    return std::make_unique<FileReporter<benchmark::ConsoleReporter>>(benchmark::ConsoleReporter::OO_None);
  return nullptr;
}

}  // namespace

std::size_t run_benchmarks(const std::vector<std::string>& words) {
  ErrorLines lines;
  std::ostream errors(&lines);
  const std::unique_ptr<benchmark::BenchmarkReporter> reporter(benchmark::CreateDefaultDisplayReporter());
  reporter->SetErrorStream(&errors);
  const std::unique_ptr<benchmark::BenchmarkReporter> file = file_reporter(words);
  return benchmark::RunSpecifiedBenchmarks(reporter.get(), file.get());
}

}  // namespace mpsbench::ops
