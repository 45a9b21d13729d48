#include "run/versus_command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace mpsbench::run {
namespace {

TEST(VersusCommand, TakesTurnsInPlaceOfTheBaseline) {
  EXPECT_EQ(
      versus_command({"/opt/bin/mpsbench", "run", "quick", "--baseline", "old.json", "--fail-on-regression"}),
      "mpsbench run quick --fail-on-regression --versus OLD/mpsbench-worker");
}

TEST(VersusCommand, NamesFilesSoThatAShellFindsThem) {
  const char* home = std::getenv("HOME");
  if (home == nullptr) GTEST_SKIP() << "no home folder";
  EXPECT_EQ(versus_command({"mpsbench", "run", "-m", "~/my net.json"}),
            "mpsbench run -m '" + std::string(home) + "/my net.json' --versus OLD/mpsbench-worker");
}

TEST(VersusCommand, LeavesOutWhatBelongsToTheRunAlone) {
  for (const std::vector<std::string>& own : {std::vector<std::string>{"-r", "5"},
                                              {"-r5"},
                                              {"--repeats=5"},
                                              {"--repeats", "5"},
                                              {"--export-json", "x.json"},
                                              {"--export-json=x.json"},
                                              {"--baseline=old.json"}}) {
    std::vector<std::string> argv{"mpsbench", "run"};
    argv.insert(argv.end(), own.begin(), own.end());
    argv.insert(argv.end(), {"-m", "my net.json"});
    EXPECT_EQ(versus_command(argv), "mpsbench run -m 'my net.json' --versus OLD/mpsbench-worker")
        << own.front();
  }
}

TEST(VersusCommand, KeepsOptionsThatBeginAlike) {
  EXPECT_EQ(versus_command({"mpsbench", "run", "--rows", "5", "--ranks=2"}),
            "mpsbench run --rows 5 --ranks=2 --versus OLD/mpsbench-worker");
}

}  // namespace
}  // namespace mpsbench::run
