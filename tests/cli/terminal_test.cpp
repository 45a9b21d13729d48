#include "cli/shell/terminal.hpp"

#include "suite/option.hpp"
#include "support/scratch.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace mpsbench::cli {
namespace {

using output::Progress;
using tests::ScopedVariable;

// A descriptor that is a terminal; -1 where the system gives none.
class Terminal {
 public:
  Terminal() : controller_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (controller_ < 0 || ::grantpt(controller_) != 0 || ::unlockpt(controller_) != 0) return;
    if (const char* name = ::ptsname(controller_)) fd_ = ::open(name, O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    if (fd_ >= 0) ::close(fd_);
    if (controller_ >= 0) ::close(controller_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int controller_;
  int fd_ = -1;
};

// stderr is FD until the end of the scope.
class StderrIs {
 public:
  explicit StderrIs(int fd) : saved_(::dup(STDERR_FILENO)) { ::dup2(fd, STDERR_FILENO); }
  ~StderrIs() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
  }
  StderrIs(const StderrIs&) = delete;
  StderrIs& operator=(const StderrIs&) = delete;

 private:
  int saved_;
};

suite::Settings with(const std::string& name, const std::string& text) {
  suite::Settings settings;
  suite::find_option(name)->set(settings, text, "--" + name);
  return settings;
}

class TerminalTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_GE(terminal_.fd(), 0); }

  Terminal terminal_;
  int file_ = ::open("/dev/null", O_WRONLY);
  ScopedVariable term_{"TERM", "xterm"};
  ScopedVariable no_color_{"NO_COLOR", nullptr};
};

TEST_F(TerminalTest, GetsColourAndAFileDoesNot) {
  EXPECT_TRUE(use_colour({}, terminal_.fd()));
  EXPECT_TRUE(use_colour(with("color", "auto"), terminal_.fd()));
  EXPECT_FALSE(use_colour({}, file_));
}

TEST_F(TerminalTest, GetsNoColourWhenTheUserOrTheTerminalRefuses) {
  for (const char* value : {"1", "0", "false"}) {
    const ScopedVariable variable("NO_COLOR", value);
    EXPECT_FALSE(use_colour({}, terminal_.fd())) << value;
  }
  const ScopedVariable empty("NO_COLOR", "");
  EXPECT_TRUE(use_colour({}, terminal_.fd())) << "an empty NO_COLOR means nothing";
  for (const char* value : {"dumb", static_cast<const char*>(nullptr)}) {
    const ScopedVariable variable("TERM", value);
    EXPECT_FALSE(use_colour({}, terminal_.fd()));
  }
}

TEST_F(TerminalTest, FollowsTheOptionBeforeAllElse) {
  const ScopedVariable variable("NO_COLOR", "1");
  EXPECT_TRUE(use_colour(with("color", "always"), file_));
  const ScopedVariable unset("NO_COLOR", nullptr);
  EXPECT_FALSE(use_colour(with("color", "never"), terminal_.fd()));
}

TEST_F(TerminalTest, ShowsProgressOnOneLineAndAFilePlainLines) {
  {
    const StderrIs terminal(terminal_.fd());
    EXPECT_EQ(progress_style({}), Progress::Style::line);
    EXPECT_EQ(progress_style(with("no-progress", "true")), Progress::Style::none);
    EXPECT_EQ(progress_style(with("quiet", "true")), Progress::Style::none);
    const ScopedVariable no_colour("NO_COLOR", "1");
    EXPECT_EQ(progress_style({}), Progress::Style::plain);
    EXPECT_EQ(progress_style(with("color", "always")), Progress::Style::plain);
  }
  const StderrIs file(file_);
  EXPECT_EQ(progress_style({}), Progress::Style::plain);
  EXPECT_EQ(progress_style(with("quiet", "true")), Progress::Style::none);
}

}  // namespace
}  // namespace mpsbench::cli
