#include "schema/front_message.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

TEST(FrontMessages, GoThroughALine) {
  for (const FrontMessage& message :
       {FrontMessage(Admission{"rank 1 differs", 2}), FrontMessage(LaunchOrder{3, 600, "a request"}),
        FrontMessage(StopOrder{3}), FrontMessage(EndOrder{5}),
        FrontMessage(LaunchAnswer{3, "cuda:1", tests::full_launch()}), FrontMessage(Farewell{})}) {
    const std::string line = to_line(message);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const FrontMessage back = parse_front_message(line);
    EXPECT_EQ(back.index(), message.index());
    EXPECT_EQ(to_line(back), line);
  }
}

TEST(FrontMessages, RefuseWhatIsUnknown) {
  EXPECT_EQ(tests::usage_error_of([] { (void)parse_front_message(R"({"message":"dance"})"); }),
            "message: $.message: unknown message \"dance\"");
  EXPECT_NE(tests::usage_error_of([] { (void)parse_front_message(R"({"message":"farewell","word":1})"); }),
            "");
}

}  // namespace
}  // namespace mpsbench::schema
