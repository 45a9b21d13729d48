#include "schema/published.hpp"

#include "schema/samples.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

using tests::full_published;

TEST(Published, IsOtherWorkByItsCautions) {
  Published published = full_published();
  EXPECT_TRUE(published.is_other_work());
  published.cautions = {"coarse-resolution", "diverged"};
  EXPECT_FALSE(published.is_other_work());
}

TEST(Cautions, StandInTheReadmeOfTheFigures) {
  EXPECT_TRUE(tests::contains(tests::content(MPSBENCH_SOURCE_DIR "/results/published/README.md"),
                              "<!-- cautions -->\n" + caution_table() + "\n"))
      << caution_table();
}

}  // namespace
}  // namespace mpsbench::schema
