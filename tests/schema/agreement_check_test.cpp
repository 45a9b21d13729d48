#include "schema/agreement_check.hpp"

#include "schema/launch.hpp"
#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

TEST(AgreementCheck, GoesThroughJson) {
  Launch launch = tests::full_launch();
  EXPECT_FALSE(tests::reparsed(to_json(launch)).contains("agreement"));
  launch.agreement = {{Reference::cpu, Compared::output, 0.25, 0.5},
                      {Reference::eager, Compared::gradients, std::nullopt, 0.5}};
  const Launch read = tests::expect_round_trip(launch, from_json<Launch>);
  ASSERT_EQ(read.agreement.size(), 2U);
  EXPECT_EQ(read.agreement[0].difference, 0.25);
  EXPECT_EQ(read.agreement[0].limit, 0.5);
  EXPECT_EQ(read.agreement[1].reference, Reference::eager);
  EXPECT_EQ(read.agreement[1].quantity, Compared::gradients);
  EXPECT_FALSE(read.agreement[1].difference);
}

TEST(AgreementCheck, AgreesUpToItsLimit) {
  EXPECT_TRUE(agrees({Reference::cpu, Compared::loss, 0.5, 0.5}));
  EXPECT_FALSE(agrees({Reference::cpu, Compared::loss, 0.51, 0.5}));
  EXPECT_FALSE(agrees({Reference::cpu, Compared::loss, std::nullopt, 0.5}));
}

}  // namespace
}  // namespace mpsbench::schema
