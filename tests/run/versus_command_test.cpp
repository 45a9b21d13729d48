#include "run/versus_command.hpp"

#include <gtest/gtest.h>

namespace mpsbench::run {
namespace {

TEST(VersusCommand, TakesTurnsInPlaceOfTheBaseline) {
  EXPECT_EQ(
      versus_command({"/opt/bin/mpsbench", "run", "quick", "--baseline", "old.json", "--fail-on-regression"}),
      "mpsbench run quick --fail-on-regression --versus OLD/mpsbench-worker");
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
