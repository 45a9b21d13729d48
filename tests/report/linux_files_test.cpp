#include "report/host/linux_files.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

TEST(LinuxFiles, KeyValues) {
  const auto values =
      key_values("NAME=\"Debian GNU/Linux\"\nVERSION_ID='12'\nnothing\nNAME=again\nEMPTY=", '=');
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.at("NAME"), "Debian GNU/Linux");
  EXPECT_EQ(values.at("VERSION_ID"), "12");
  EXPECT_EQ(values.at("EMPTY"), "");
}

}  // namespace
}  // namespace mpsbench::report
