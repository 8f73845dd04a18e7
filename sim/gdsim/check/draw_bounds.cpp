#include <gdsim/check/draw_bounds.hpp>

namespace gdsim {

std::vector<std::string> faults_of_cv(const Draw& draw) {
  std::vector<std::string> faults;
  const auto above = [&](std::uint64_t thousandths) { return compare(draw.cv, Decimal{thousandths, -3}) > 0; };
  if (draw.cv.is_zero()) faults.emplace_back("must be more than 0");
  if (draw.distribution == Distribution::normal && above(300))
    faults.emplace_back("is more than 0.3: a normal factor could be 0 or less; use lognormal");
  if (draw.distribution == Distribution::uniform && above(577))
    faults.emplace_back("is more than 0.577: a uniform factor could be 0 or less; use lognormal");
  if (above(10'000)) faults.emplace_back("is more than 10");
  return faults;
}

}  // namespace gdsim
