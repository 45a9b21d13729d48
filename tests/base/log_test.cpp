#include "base/log.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace mpsbench::base::log {
namespace {

using tests::contains;
using tests::content;
using tests::Scratch;

// Everything that one message of each kind writes to stderr.
std::string shown_at(Verbosity level, bool colour = false, const std::filesystem::path& file = {}) {
  testing::internal::CaptureStderr();
  set_up(level, colour, file);
  warn("hot");
  info("done");
  detail("deep");
  set_up(Verbosity::normal, false, {});
  return testing::internal::GetCapturedStderr();
}

TEST(Log, ShowsWhatItsLevelAllows) {
  EXPECT_EQ(shown_at(Verbosity::quiet), "warning: hot\n");
  EXPECT_EQ(shown_at(Verbosity::normal), "warning: hot\ndone\n");
  EXPECT_EQ(shown_at(Verbosity::verbose), "warning: hot\ndone\ndeep\n");
}

TEST(Log, ColoursOnlyWhenAsked) {
  EXPECT_TRUE(contains(shown_at(Verbosity::quiet, true), "\x1B["));
  EXPECT_FALSE(contains(shown_at(Verbosity::quiet, false), "\x1B["));
}

TEST(Log, WritesEverythingToItsFile) {
  const Scratch scratch;
  EXPECT_EQ(shown_at(Verbosity::quiet, false, scratch / "logs/run.log"), "warning: hot\n");
  const std::string text = content(scratch / "logs/run.log");
  for (const char* part : {" warning hot\n", " info done\n", " debug deep\n"})
    EXPECT_TRUE(contains(text, part)) << text;
}

TEST(Log, TakesBracesAsTheyAre) {
  testing::internal::CaptureStderr();
  info("{} {0} %s");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "{} {0} %s\n");
}

TEST(Log, SaysWhichFileItCannotWrite) {
  const Scratch scratch;
  const auto below = scratch.write("file", "") / "run.log";
  const std::string message = tests::usage_error_of([&] { set_up(Verbosity::normal, false, below); });
  EXPECT_TRUE(contains(message, "cannot write " + below.string())) << message;
  EXPECT_TRUE(contains(message, "choose another place with --log-file")) << message;
}

}  // namespace
}  // namespace mpsbench::base::log
