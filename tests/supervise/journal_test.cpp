#include "supervise/journal.hpp"

#include "base/error.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace mpsbench::supervise {
namespace {

using schema::Status;

class JournalTest : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  // Returns the error message of load().
  [[nodiscard]] std::string refusal() const {
    return tests::usage_error_of([&] { (void)Journal::load(path_); });
  }

  tests::Scratch folder_;
  std::filesystem::path path_ = folder_ / "run.jsonl";
  schema::PlannedCase planned_ = tests::planned_case("net", 8, 3);
  schema::RunRecord record_ = tests::run_record({planned_});
};

TEST_F(JournalTest, LoadsWhatWasWritten) {
  Journal journal = Journal::create(path_, record_);
  schema::LibtorchInfo libtorch;
  libtorch.version = "2.13.0+cpu";
  journal.append(libtorch);
  journal.append(planned_.id, tests::launch_of(Status::ok, 0));
  journal.append(planned_.id, tests::launch_of(Status::crashed, 1));
  const schema::RunRecord loaded = Journal::load(path_);
  EXPECT_EQ(loaded.run.id, record_.run.id);
  EXPECT_EQ(loaded.run.planned.at(0).repeats, 3);
  EXPECT_EQ(loaded.run.definitions, record_.run.definitions);
  EXPECT_EQ(loaded.host.libtorch->version, "2.13.0+cpu");
  EXPECT_TRUE(Journal::is_journal(path_));
  const auto& launches = loaded.launches.at(planned_.id);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].samples_seconds, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(launches[1].status, Status::crashed);
  EXPECT_EQ(launches[1].failure->detail, "detail");
}

TEST_F(JournalTest, PartsOfALaunchAreReplacedByItsEnd) {
  Journal journal = Journal::create(path_, record_);
  schema::Launch part = tests::launch_of(Status::interrupted, 2);
  part.order = 7;
  part.samples_seconds = {1, 2};
  journal.append_part(planned_.id, part);
  part.samples_seconds = {3};
  journal.append_part(planned_.id, part);
  const schema::RunRecord loaded = Journal::load(path_);
  EXPECT_TRUE(loaded.launches.empty());
  const std::vector<schema::Launch>& unfinished = loaded.unfinished.at(planned_.id);
  ASSERT_EQ(unfinished.size(), 1U);
  EXPECT_EQ(unfinished[0].samples_seconds, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(unfinished[0].unmet, std::vector<std::string>{"min-samples"});
  (void)Journal::create(folder_ / "other.jsonl", loaded);
  const schema::RunRecord again = Journal::load(folder_ / "other.jsonl");
  EXPECT_EQ(again.unfinished.at(planned_.id).at(0).samples_seconds, unfinished[0].samples_seconds);

  schema::Launch end = tests::launch_of(Status::ok, 2);
  end.order = 7;
  journal.append(planned_.id, end);
  const schema::RunRecord ended = Journal::load(path_);
  EXPECT_EQ(ended.launches.at(planned_.id).size(), 1U);
  EXPECT_TRUE(ended.unfinished.at(planned_.id).empty());
}

// Launch 1 was stopped after enough samples, and its second try was just beginning.
TEST_F(JournalTest, TheLastTryThatCountsStands) {
  Journal journal = Journal::create(path_, record_);
  schema::Launch part = tests::launch_of(Status::interrupted, 1);
  part.order = 3;
  part.samples_seconds.assign(20, 1.0);
  journal.append_part(planned_.id, part);
  part.order = 4;
  part.samples_seconds = {2};
  journal.append_part(planned_.id, part);
  const schema::RunRecord loaded = Journal::load(path_);
  ASSERT_EQ(loaded.unfinished.at(planned_.id).size(), 1U);
  EXPECT_EQ(loaded.unfinished.at(planned_.id)[0].order, 3);
}

TEST_F(JournalTest, LeavesOutATornLastLineWhereverItTore) {
  {
    Journal journal = Journal::create(path_, record_);
    journal.append(planned_.id, tests::launch_of(Status::ok, 0));
    journal.append(planned_.id, tests::launch_of(Status::ok, 1));
  }
  const std::string text = tests::content(path_);
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t size = last; size <= text.size(); size += 37) {
    write(text.substr(0, size));
    EXPECT_EQ(Journal::load(path_).launches.at(planned_.id).size(), 1U) << size;
  }
  write(text.substr(0, text.size() - 1));  // only the last line break is missing
  EXPECT_EQ(Journal::load(path_).launches.at(planned_.id).size(), 2U);
}

TEST_F(JournalTest, ReplaceRepairsATornLineBeforeGoingOn) {
  {
    Journal journal = Journal::create(path_, record_);
    journal.append(planned_.id, tests::launch_of(Status::ok, 0));
  }
  std::ofstream(path_, std::ios::app) << R"({"case":"net/tr)";
  Journal journal = Journal::replace(path_, Journal::load(path_));
  journal.append(planned_.id, tests::launch_of(Status::ok, 1));
  EXPECT_EQ(Journal::load(path_).launches.at(planned_.id).size(), 2U);
}

TEST_F(JournalTest, RefusesEverythingElseWithFileAndPlace) {
  EXPECT_TRUE(tests::contains(refusal(), "no such file"));
  for (const char* foreign : {"", "{}", "not JSON", "{\n  \"schema_version\": 1\n}\n", "\x80\x81"}) {
    write(foreign);
    EXPECT_EQ(refusal(), path_.string() + ": this is not a journal of mpsbench") << foreign;
    EXPECT_FALSE(Journal::is_journal(path_));
  }
  write(R"({"journal_version":99})"
        "\n");
  EXPECT_NE(refusal().find(", line 1: $.journal_version: this program reads journal version 1, but found 99"),
            std::string::npos)
      << refusal();
  write(R"({"journal_version":1,"too)");
  EXPECT_TRUE(tests::contains(refusal(), "first line is incomplete"));
}

TEST_F(JournalTest, RefusesATornLineInTheMiddleAndACaseThatIsNotPlanned) {
  {
    const Journal journal = Journal::create(path_, record_);
  }
  const std::string begin = tests::content(path_);
  write(begin + "{\"case\":\n" + "{}\n");
  EXPECT_TRUE(tests::contains(refusal(), ", line 2: not valid JSON"));
  write(begin + R"({"case":"other","launch":{}})" + "\n");
  EXPECT_TRUE(tests::contains(refusal(), ", line 2: $.case: the plan in the first line has no such case"));
  write(begin + R"({"case":")" + planned_.id + R"(","launch":{"status":"ok"}})" + "\n");
  EXPECT_TRUE(tests::contains(refusal(), ", line 2: $.launch"));
}

}  // namespace
}  // namespace mpsbench::supervise
