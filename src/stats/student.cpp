#include "stats/student.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>

#include <cmath>

namespace mpsbench::stats {
namespace {

// long double would be three times slower and would not change any digit that is shown.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;

}  // namespace

double student_factor(double freedom, double confidence) {
  using boost::math::complement;
  return boost::math::quantile(complement(StudentsT{freedom}, (1 - confidence) / 2));
}

double student_two_sided(double freedom, double t) {
  using boost::math::complement;
  return 2 * boost::math::cdf(complement(StudentsT{freedom}, std::abs(t)));
}

}  // namespace mpsbench::stats
