#include "schema/device_id.hpp"

#include "schema/round_trip.hpp"

namespace mpsbench::schema {
namespace {

using tests::refusal;

TEST(DeviceId, PrintsItsOnlyName) {
  for (const std::string name : {"cpu", "mps", "cuda", "cuda:1", "cuda:127"}) {
    const auto device = DeviceId::parse(name);
    ASSERT_TRUE(device) << name;
    EXPECT_EQ(to_string(*device), name);
  }
  EXPECT_EQ(to_string(DeviceId("cuda:0")), "cuda");
  EXPECT_EQ(to_string(DeviceId("mps:0")), "mps");
}

TEST(DeviceId, HasKindAndIndex) {
  EXPECT_EQ(DeviceId("cuda:12"), DeviceId(DeviceKind::cuda, 12));
  EXPECT_EQ(DeviceId("mps"), DeviceId(DeviceKind::mps));
  EXPECT_EQ(DeviceId(), DeviceId(DeviceKind::cpu));
  EXPECT_FALSE(DeviceId("cpu").row().asynchronous);
  EXPECT_TRUE(DeviceId("cuda:1").row().asynchronous);
}

TEST(DeviceId, RefusesWhatIsNone) {
  for (const char* name : {"", "CPU", "gpu", "cpu:0", "mps:1", "mps:", "cuda:", "cuda:01", "cuda:128", "cuda:-1",
                           "cuda:x", "cuda:1 ", "cuda:1:1", "cuda:99999999999999999999"}) {
    EXPECT_FALSE(DeviceId::parse(name)) << name;
  }
}

TEST(DeviceId, IsRefusedInJsonWithThePlaceAndTheKnownForms) {
  EXPECT_EQ(refusal("cuda:x", read_device_id),
            "f.json: $: unknown device \"cuda:x\" (did you mean 'cuda:N'?); known: cpu, mps, cuda, cuda:N");
}

}  // namespace
}  // namespace mpsbench::schema
