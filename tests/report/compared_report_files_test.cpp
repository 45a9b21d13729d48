// How compare reads files: large ones, several at once, and those of a newer version.
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "report/compare/compared_report.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <future>
#include <regex>
#include <string>

namespace mpsbench::report {
namespace {

const std::filesystem::path kGolden = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "tests/schema/golden";

nlohmann::ordered_json golden(const std::string& name) {
  return nlohmann::ordered_json::parse(base::read_large_text_file(kGolden / name));
}

std::string words_of(const nlohmann::ordered_json& document) {
  const base::UnknownKeys unknown;
  (void)parse_compared_report(base::to_text(document), "a.json");
  return unknown.words("a.json");
}

TEST(NewerReport, KnowsTheKeysOfSeveralProcesses) {
  const auto file = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "results/h100x2-d-graph.json";
  EXPECT_EQ(words_of(base::read_large_json_file(file.string())), "");
}

TEST(NewerReport, IsKnownByItsKeys) {
  for (const char* name : {"full.json", "bare.json"}) {
    const nlohmann::ordered_json known = golden(name);
    EXPECT_EQ(words_of(known), "") << name;
    for (const char* place : {"", "/tool", "/run", "/host", "/host/cpu", "/run/planned/0", "/cases/0", "/cases/0/spec",
                              "/cases/0/metrics", "/cases/0/metrics/step_seconds", "/cases/0/launches/0",
                              "/cases/0/launches/0/working_threads", "/cases/0/failure"}) {
      nlohmann::ordered_json newer = known;
      const nlohmann::ordered_json::json_pointer at(place);
      if (!newer.contains(at) || !newer[at].is_object()) continue;
      newer[at]["future"] = {{"x", 1}};
      std::string path = place;
      std::ranges::replace(path, '/', '.');
      path = std::regex_replace(path, std::regex("\\.0"), "[0]");
      EXPECT_EQ(words_of(newer), "a.json is of a newer version of mpsbench: the key $" + path + ".future is ignored");
    }
  }
}

// A report in the order of this program is read without its details, one in another order as a document.
TEST(NewerReport, IsReadAlikeInAnyOrderOfItsKeys) {
  const std::filesystem::path folder(MPSBENCH_SOURCE_DIR);
  for (const char* name :
       {"results/h100x2-d-graph.json", "results/published/m1-20220522.json", "tests/schema/golden/full.json"}) {
    const std::string text = base::read_large_text_file(folder / name);
    const ComparedReport ours = parse_compared_report(text, "a");
    const ComparedReport sorted = parse_compared_report(nlohmann::json::parse(text).dump(), "a");
    ASSERT_EQ(ours.cases.size(), sorted.cases.size());
    for (std::size_t i = 0; i < ours.cases.size(); ++i) {
      const ComparedCase& one = ours.cases[i];
      const ComparedCase& other = sorted.cases[i];
      SCOPED_TRACE(one.id);
      EXPECT_EQ(one.spec, other.spec);
      EXPECT_EQ(one.step_seconds, other.step_seconds);
      EXPECT_EQ(one.is_founded, other.is_founded);
      EXPECT_EQ(one.flags, other.flags);
      EXPECT_EQ(one.backend, other.backend);
      EXPECT_EQ(one.gpu_clock.hertz, other.gpu_clock.hertz);
      EXPECT_EQ(one.gpu_clock.is_set_by_hand, other.gpu_clock.is_set_by_hand);
      EXPECT_EQ(one.working_threads, other.working_threads);
      EXPECT_EQ(one.why_missing, other.why_missing);
      EXPECT_EQ(one.launches_set_aside, other.launches_set_aside);
      EXPECT_EQ(one.launches_without_time, other.launches_without_time);
      EXPECT_EQ(one.published.has_value(), other.published.has_value());
      ASSERT_EQ(one.launches.size(), other.launches.size());
      for (std::size_t at = 0; at < one.launches.size(); ++at) {
        EXPECT_EQ(one.launches[at].step_seconds, other.launches[at].step_seconds);
        EXPECT_EQ(one.launches[at].others, other.launches[at].others);
        EXPECT_EQ(one.launches[at].held_copies, other.launches[at].held_copies);
        EXPECT_EQ(one.launches[at].cpu_distance_seconds, other.launches[at].cpu_distance_seconds);
      }
    }
  }
}

// Everything that `validate` accepts can be read.
TEST(ComparedReport, ReadsTheReportsOfAllReleases) {
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    const nlohmann::json document = base::read_large_json_file(entry.path());
    const schema::Report report = schema::from_json<schema::Report>(base::Reader(document, entry.path()));
    EXPECT_EQ(read_compared_report(entry.path()).cases.size(), report.cases.size()) << entry.path();
  }
}

// The file is larger than the part that stays in memory, so early cases are dropped before later ones are read.
TEST(ComparedReport, ReadsFilesOfManyMegabytes) {
  nlohmann::ordered_json document = golden("full.json");
  const nlohmann::ordered_json first = document["cases"][0];
  document["cases"] = nlohmann::ordered_json::array();
  for (int i = 0; i < 20; ++i) {
    nlohmann::ordered_json one = first;
    one["id"] = "case" + std::to_string(i);
    one["notes"] = {{"long", std::string(1 << 20, 'x')}};
    document["cases"].push_back(one);
  }
  const tests::Scratch scratch;
  const ComparedReport report = read_compared_report(scratch.write("r.json", base::to_text(document)));
  ASSERT_EQ(report.cases.size(), 20U);
  EXPECT_EQ(report.cases[19].id, "case19");
  EXPECT_EQ(report.cases[0].spec, report.cases[19].spec);
}

// Reads the reports in the same way as `mpsbench compare`.
TEST(ComparedReport, SeveralAreReadAtOnce) {
  const tests::Scratch scratch;
  nlohmann::ordered_json document = golden("full.json");
  std::vector<std::future<ComparedReport>> readers;
  for (const char* run : {"first", "second", "third"}) {
    document["run"]["id"] = run;
    const std::filesystem::path file = scratch.write(run, base::to_text(document));
    readers.push_back(std::async(std::launch::async, [file] { return read_compared_report(file); }));
  }
  std::string runs;
  for (std::future<ComparedReport>& reader : readers) runs += reader.get().run_id + " ";
  EXPECT_EQ(runs, "first second third ");
}

}  // namespace
}  // namespace mpsbench::report
