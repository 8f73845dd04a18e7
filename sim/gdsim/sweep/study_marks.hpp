#pragma once

#include <gdsim/page/picture/picture_frame.hpp>
#include <gdsim/sweep/study_table.hpp>

#include <cstdint>
#include <optional>
#include <string>
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

/// The maximum number of points that are drawn one by one.
inline constexpr std::uint64_t kMaxMarks = 10'000;

/// The rows of a table that pictures draw, with their common data.
class StudyMarks {
 public:
  /// Takes all rows of the table, which must be at most kMaxMarks.
  explicit StudyMarks(const StudyTable& table);

  const StudyTable& table() const { return table_; }
  const std::vector<StudyRow>& rows() const { return rows_; }
  /// Returns the value by which rows are ranked, or nullopt unless the point is ok.
  std::optional<std::int64_t> value(const StudyRow& row) const;
  std::int64_t min() const { return min_; }
  std::int64_t max() const { return max_; }
  /// Returns the shades of all values.
  const StudyShades& shades() const { return shades_; }

  /// `tile=32: 12.8 us, rank 1, 2.00 times as fast as tile=16; limited by slm`: the text for the pointer and screen
  /// readers.
  std::string words(const StudyRow& row) const;
  /// Opens a group with these words and the marks of its state, reachable by keyboard. The caller must close it with
  /// `</g>`.
  std::string open(const StudyRow& row, std::size_t column, std::size_t line) const;

 private:
  const StudyTable& table_;
  std::vector<StudyRow> rows_;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
  StudyShades shades_;
};

}  // namespace gdsim
