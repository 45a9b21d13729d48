#include "cli/commands/commands.hpp"
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
  EXPECT_TRUE(contains(outcome.out, "cure: in a checkout, scripts/mpsbench installs LibTorch")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST(Doctor, SpeaksJson) {
  const ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  const tests::Outcome outcome = mpsbench({"doctor", "-f", "json"});
  const nlohmann::json findings = nlohmann::json::parse(outcome.out);
  std::set<std::string> subjects;
  for (const nlohmann::json& finding : findings) {
    subjects.insert(finding.at("subject").get<std::string>());
    const bool good = finding.at("level") == "ok" || finding.at("level") == "note";
    EXPECT_EQ(finding.at("cure").get<std::string>().empty(), good) << finding;
  }
  for (const char* subject : {"system", "build", "LibTorch", "packages", "OpenMP", "variables", "load", "governor",
                              "power", "threads", "swap", "disk", "sensors"}) {
    EXPECT_TRUE(subjects.contains(subject)) << subject;
  }
}

TEST(Doctor, WritesAFileInAFormatThatItKnows) {
  const tests::CurrentScratch scratch;
  const ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  EXPECT_EQ(mpsbench({"doctor", "-f", "csv", "-o", "new/findings"}).out, "");
  EXPECT_EQ(tests::content(scratch / "new/findings").substr(0, 14), "level,subject,");
  EXPECT_TRUE(contains(tests::failure(2, {"doctor", "-o", "json"}), "write -f json (to write a file of"));
  EXPECT_TRUE(contains(tests::failure(2, {"doctor", "-f", "junit"}), "unknown format 'junit'"));
}

}  // namespace
}  // namespace mpsbench::cli
