#include "report/host/host_name.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

class HostName : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("mpsbench-host-name-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST(Slug, KeepsTheModelAndDropsTheRest) {
  EXPECT_EQ(slug("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"), "xeon-platinum-8370c");
  EXPECT_EQ(slug("Apple M1 Max"), "m1-max");
  EXPECT_EQ(slug("AMD Ryzen 7 5800X 8-Core Processor"), "ryzen-7-5800x-8");
  EXPECT_EQ(slug("Cortex-A76 + Cortex-A55"), "cortex-a76-cortex-a55");
  EXPECT_EQ(slug("../../etc/\x1b[31m passwd"), "etc-31m-passwd");
  EXPECT_EQ(slug("(R) CPU"), "machine");
  EXPECT_LE(slug(std::string(500, 'a') + " b").size(), 40U);
}

TEST_F(HostName, StaysTheSame) {
  const std::string first = host_name("Apple M1 Max", folder_);
  EXPECT_EQ(first.substr(0, 7), "m1-max-");
  EXPECT_EQ(first.size(), 11U);
  EXPECT_EQ(host_name("Apple M1 Max", folder_), first);
  EXPECT_TRUE(fs::is_regular_file(folder_ / "host-id"));
}

TEST_F(HostName, BrokenStateIsReplaced) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "host-id") << "../../x\n";
  const std::string name = host_name("AMD EPYC", folder_);
  EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_EQ(host_name("AMD EPYC", folder_), name);
}

TEST_F(HostName, UnwritablePlaceStillGivesAName) {
  std::ofstream(folder_) << "a file where the folder should be";
  EXPECT_EQ(host_name("AMD EPYC", folder_).size(), 9U);
}

}  // namespace
}  // namespace mpsbench::report
