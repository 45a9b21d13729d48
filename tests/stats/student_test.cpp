#include "stats/student.hpp"

#include <gtest/gtest.h>

namespace mpsbench::stats {
namespace {

// python -c "from scipy import stats; print(stats.t.ppf(.975, 4.5), stats.t.ppf(.9995, 4),
// 2*stats.t.sf(2.5, 7.3))"
TEST(Student, AgreesWithSciPy) {
  EXPECT_NEAR(student_factor(4.5, 0.95), 2.6589123472044034, 1e-9);
  EXPECT_NEAR(student_factor(4, 0.999), 8.610301581379522, 1e-9);
  EXPECT_NEAR(student_two_sided(7.3, -2.5), 0.03965023466560043, 1e-9);
}

TEST(Student, FactorAndTailsAreEachOthersReverse) {
  for (const double freedom : {1.0, 2.7, 30.0, 1e6}) {
    EXPECT_NEAR(student_two_sided(freedom, student_factor(freedom, 0.99)), 0.01, 1e-12) << freedom;
  }
}

}  // namespace
}  // namespace mpsbench::stats
