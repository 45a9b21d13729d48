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

// Writes to a text what goes into the file, but not the lines about the machine.
template <typename Reporter>
class FileReporter final : public Reporter {
 public:
  template <typename... Arguments>
  explicit FileReporter(std::ostream& text, Arguments... arguments) : Reporter(arguments...), text_(&text) {}

  bool ReportContext(const benchmark::BenchmarkReporter::Context& context) override {
    this->SetOutputStream(text_);  // the library has set its own
    this->SetErrorStream(&nowhere_);
    return Reporter::ReportContext(context);
  }

 private:
  std::ostream* text_;
  std::ostream nowhere_{nullptr};
};

std::unique_ptr<benchmark::BenchmarkReporter> file_reporter(const std::string& format, std::ostream& text) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  if (format == "csv") return std::make_unique<FileReporter<benchmark::CSVReporter>>(text);
#pragma GCC diagnostic pop
  if (format == "console")
    return std::make_unique<FileReporter<benchmark::ConsoleReporter>>(text, benchmark::ConsoleReporter::OO_None);
  return std::make_unique<FileReporter<benchmark::JSONReporter>>(text);
}

}  // namespace

std::size_t run_benchmarks(const std::optional<FileOutput>& file) {
  ErrorLines lines;
  std::ostream errors(&lines);
  const std::unique_ptr<benchmark::BenchmarkReporter> shown(benchmark::CreateDefaultDisplayReporter());
  shown->SetErrorStream(&errors);
  if (!file) return benchmark::RunSpecifiedBenchmarks(shown.get());
  std::ostringstream text;
  const std::size_t matched = benchmark::RunSpecifiedBenchmarks(shown.get(), file_reporter(file->format, text).get());
  if (!text.view().empty()) base::write_file(file->file, text.view());
  return matched;
}

}  // namespace mpsbench::ops
