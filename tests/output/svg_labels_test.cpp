#include "output/page/svg_labels.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using Places = std::vector<double>;

TEST(LabelPlaces, LeavesAloneWhatDoesNotTouch) {
  EXPECT_EQ(label_places({10, 50, 30}, 10, 0, 100), (Places{10, 50, 30}));
  EXPECT_EQ(label_places({}, 10, 0, 100), Places{});
}

TEST(LabelPlaces, PartsWhatTouchesAndStaysInside) {
  EXPECT_EQ(label_places({50, 50, 52}, 10, 0, 100), (Places{50, 60, 70}));
  EXPECT_EQ(label_places({99, 98, 97}, 10, 0, 100), (Places{100, 90, 80}));
  EXPECT_EQ(label_places({-5, 200}, 10, 0, 100), (Places{0, 100}));
}

TEST(LabelPlaces, SaysWhenThereIsNoRoom) {
  EXPECT_EQ(label_places({1, 2, 3}, 10, 0, 19), std::nullopt);
  EXPECT_NE(label_places({1, 2, 3}, 10, 0, 20), std::nullopt);
}

TEST(TextWidth, CountsCharacters) {
  EXPECT_GT(text_width("±±±"), text_width("ab"));
  EXPECT_EQ(text_width("±"), text_width("a"));
}

}  // namespace
}  // namespace mpsbench::output
