#include "output/page/page_series.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench::output {
namespace {

TEST(SeriesNames, KeepTheirNumbers) {
  SeriesNames names;
  EXPECT_EQ(names.number("cpu"), 0U);
  EXPECT_EQ(names.number("cuda"), 1U);
  EXPECT_EQ(names.number("cpu"), 0U);
  EXPECT_EQ(names.name(1), "cuda");
}

TEST(Series, DifferInColourAndForm) {
  std::set<std::string> looks;
  for (std::size_t number = 0; number < 40; ++number)
    looks.insert(series_class(number) + mark_at({0, 0}, number));
  EXPECT_EQ(looks.size(), 40U);
  std::set<std::string> forms;
  for (std::size_t number = 0; number < 5; ++number) forms.insert(mark_at({0, 0}, number));
  EXPECT_EQ(forms.size(), 5U) << "neighbouring series must differ without colours";
}

TEST(LegendOf, EscapesNames) {
  SeriesNames names;
  const std::string text = legend_of(names, {names.number("<b>")});
  EXPECT_TRUE(tests::contains(text, "</svg>&lt;b&gt;</li>")) << text;
}

}  // namespace
}  // namespace mpsbench::output
