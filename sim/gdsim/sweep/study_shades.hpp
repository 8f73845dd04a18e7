#pragma once

#include <cstdint>
#include <vector>

namespace gdsim {

/// Gives values shades by their rank among all of them, so that one distant value does not make the others look equal.
/// If the worst is more than a certain multiple of the best, the scale is logarithmic. Values that are worse by more
/// than three times the distance of the quartiles are beyond the end of the scale.
class StudyShades {
 public:
  StudyShades() = default;
  StudyShades(std::vector<std::int64_t> values, bool largest_is_best);

  /// Returns 1 for the best value, and 0 for the end of the scale and all worse values.
  double goodness(std::int64_t value) const;

  std::int64_t best() const { return best_; }
  /// Returns the value at the end of the scale.
  std::int64_t worst() const { return worst_; }
  /// Returns true if there are values beyond the end.
  bool has_beyond() const { return has_beyond_; }
  bool is_logarithmic() const { return is_logarithmic_; }

 private:
  std::int64_t best_ = 0;
  std::int64_t worst_ = 0;
  bool largest_is_best_ = false;
  bool has_beyond_ = false;
  bool is_logarithmic_ = false;
};

}  // namespace gdsim
