#pragma once

#include <cstdint>
#include <vector>

namespace gdsim {

/// Gives values shades by how good they are among all of them, so that one value far off does not leave the others
/// alike. Where the worst is more than some times the best, the scale is logarithmic. Values that lie far beyond all
/// others, on the worse side, are beyond the end of the scale: by more than three times the distance of the quartiles.
class StudyShades {
 public:
  StudyShades() = default;
  StudyShades(std::vector<std::int64_t> values, bool largest_is_best);

  /// 1 is the best, 0 the end of the scale and all that is worse.
  double goodness(std::int64_t value) const;

  std::int64_t best() const { return best_; }
  /// The end of the scale.
  std::int64_t worst() const { return worst_; }
  /// There are values beyond the end.
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
