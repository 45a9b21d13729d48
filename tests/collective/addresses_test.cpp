#include "collective/addresses.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mpsbench::collective {
namespace {

TEST(Addresses, AreThoseUnderWhichOthersReachThisMachine) {
  EXPECT_EQ(own_address("127.0.0.1", 4321), "127.0.0.1");
  EXPECT_EQ(own_address("localhost", 4321), "127.0.0.1");
  EXPECT_EQ(tests::usage_error_of([] {
              (void)own_address("no.such.host.invalid", 1);
            }).rfind("the host 'no.such.host.invalid' is unknown: ", 0),
            0U);
}

TEST(Addresses, OfOtherMachinesCannotBeListenedOn) {
  const std::string text = tests::usage_error_of([] { (void)listen_at("192.0.2.1", 4321); });
  EXPECT_EQ(text.rfind("rank 0 cannot listen on 192.0.2.1:4321: ", 0), 0U) << text;
  ::close(listen_at("127.0.0.1", 0));
}

}  // namespace
}  // namespace mpsbench::collective
