#include "run_benchmarks.hpp"

#include "base/atomic_file.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

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

// What goes into the file: Google Benchmark would write the lines about the machine into it, too.
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

std::unique_ptr<benchmark::BenchmarkReporter> reporter_of(const std::string& format) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  if (format == "csv") return std::make_unique<FileReporter<benchmark::CSVReporter>>();
#pragma GCC diagnostic pop
  if (format == "console")
    return std::make_unique<FileReporter<benchmark::ConsoleReporter>>(benchmark::ConsoleReporter::OO_None);
  return std::make_unique<benchmark::JSONReporter>();
}

// Reports what is shown, and keeps TEXT for a file.
class TwoReporters final : public benchmark::BenchmarkReporter {
 public:
  TwoReporters(benchmark::BenchmarkReporter& shown, const std::string& format, std::ostream& text)
      : shown_(&shown), kept_(reporter_of(format)) {
    kept_->SetOutputStream(&text);
  }

  bool ReportContext(const Context& context) override {
    const bool goes_on = shown_->ReportContext(context);
    return kept_->ReportContext(context) && goes_on;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    shown_->ReportRuns(runs);
    kept_->ReportRuns(runs);
  }
  void Finalize() override {
    shown_->Finalize();
    kept_->Finalize();
  }

 private:
  benchmark::BenchmarkReporter* shown_;
  std::unique_ptr<benchmark::BenchmarkReporter> kept_;
};

}  // namespace

std::size_t run_benchmarks(const std::optional<FileOutput>& file) {
  ErrorLines lines;
  std::ostream errors(&lines);
  const std::unique_ptr<benchmark::BenchmarkReporter> shown(benchmark::CreateDefaultDisplayReporter());
  shown->SetErrorStream(&errors);
  if (!file) return benchmark::RunSpecifiedBenchmarks(shown.get());
  std::ostringstream text;
  TwoReporters both(*shown, file->format, text);
  both.SetErrorStream(&errors);
  const std::size_t matched = benchmark::RunSpecifiedBenchmarks(&both);
  if (!text.view().empty()) base::write_file(file->file, text.view());
  return matched;
}

}  // namespace mpsbench::ops
