#include "cli/commands/doctor.hpp"

#include "cli/support.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::mpsbench;
using tests::ScopedVariable;

TEST(Doctor, WithoutAWorkerSaysHowToGetOne) {
  const ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  const tests::Outcome outcome = mpsbench({"doctor"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.out, "the worker program /nowhere/mpsbench-worker is missing")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "cure: scripts/mpsbench installs LibTorch")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST(Doctor, SpeaksJson) {
  const ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  const tests::Outcome outcome = mpsbench({"doctor", "-o", "json"});
  const nlohmann::json findings = nlohmann::json::parse(outcome.out);
  std::set<std::string> subjects;
  for (const nlohmann::json& finding : findings) {
    subjects.insert(finding.at("subject").get<std::string>());
    const bool good = finding.at("level") == "ok";
    EXPECT_EQ(finding.at("cure").get<std::string>().empty(), good) << finding;
  }
  for (const char* subject :
       {"build", "LibTorch", "OpenMP", "load", "governor", "power", "threads", "swap", "disk", "sensors"}) {
    EXPECT_TRUE(subjects.contains(subject)) << subject;
  }
}

TEST(Doctor, KnowsItsFormats) {
  EXPECT_TRUE(contains(tests::failure(2, {"doctor", "-o", "csv"}), "csv"));
}

}  // namespace
}  // namespace mpsbench::cli
