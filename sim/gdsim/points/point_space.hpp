#pragma once

#include <gdsim/scenario/expressions/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// One varied input of a study, with its values as written in the scenario.
struct Axis {
  std::string name;  ///< as typed
  std::vector<std::string> values;
};

/// The maximum number of values of an axis.
inline constexpr std::size_t kMaxAxisValues = 1'000'000;

/// Reads `NAME=LIST`: values separated by commas outside of brackets, or by semicolons if there are any. A value such
/// as `32..1024*2` or `64..512+64` is a range. Its last value is included only if the steps reach it exactly; both ends
/// may have the same unit. A range that adds may begin below 0, unless it has a unit. Throws InputError.
Axis parse_axis(std::string_view text);

/// Draws `count` different points of the product of axes with these numbers of values, as ordinals (the last axis
/// fastest), ascending. Each value of an axis is drawn equally often, up to rounding, except that a point drawn twice
/// is replaced by another one, drawn from all. The result depends only on the seed. `count` must be at most the
/// product, which must be at most 2^62.
std::vector<std::uint64_t> latin_hypercube(const std::vector<std::uint64_t>& sizes, std::uint64_t count,
                                           std::uint64_t seed);

/// The points of a study: the product of its axes, or their pairs, without points that a condition or a sample omits.
struct PointRules {
  bool zip = false;   ///< pairs the axes: their first values are one point, their second ones another, ...
  std::string where;  ///< an expression over the axes; points with the value 0 are left out; empty: none is
  std::optional<std::uint64_t> sample;  ///< number of points, drawn by Latin hypercube
  std::uint64_t seed = 0;               ///< of the sample
  /// Further names of the condition, in base units.
  std::vector<std::pair<std::string, double>> constants = {};
};

/// A point is identified by its ordinal: its position in the product, the last axis fastest. Memory does not grow with
/// the number of points, except for a sample: 8 bytes each. Not thread-safe.
class PointSpace {
 public:
  /// Throws InputError for paired lists of different lengths, a product of more than 2^62 points, a condition that
  /// cannot be evaluated, or a sample larger than the product.
  PointSpace(std::vector<Axis> axes, PointRules rules);

  const std::vector<Axis>& axes() const { return axes_; }
  const PointRules& rules() const { return rules_; }
  /// Returns the number of ordinals, which begin at 0.
  std::uint64_t size() const { return size_; }

  /// Returns the index of the value that the point has on an axis.
  std::size_t index(std::uint64_t ordinal, std::size_t axis) const;
  const std::string& value(std::uint64_t ordinal, std::size_t axis) const {
    return axes_[axis].values[index(ordinal, axis)];
  }
  /// Returns the point with these indices, or nullopt if the axes are paired and there is none.
  std::optional<std::uint64_t> ordinal(const std::vector<std::size_t>& indices) const;
  /// `tile=32, stages=2`.
  std::string name_of(std::uint64_t ordinal) const;

  /// Returns true if the point belongs to the study.
  bool contains(std::uint64_t ordinal) const;
  /// Returns the first point of the study at or after `ordinal`, or nullopt.
  std::optional<std::uint64_t> next(std::uint64_t ordinal) const;
  /// Returns the number of points of the study. Takes time proportional to the size of the space.
  std::uint64_t count() const;

 private:
  void read_condition();
  void draw_sample();
  bool holds(std::uint64_t ordinal) const;

  std::vector<Axis> axes_;
  PointRules rules_;
  std::uint64_t size_ = 1;
  std::vector<std::uint64_t> strides_;  ///< by axis: number of consecutive points with the same value
  std::vector<std::uint64_t> sample_;   ///< ordinals, ascending
  std::optional<Expression> where_;
  /// A name in the condition: an axis, whose values are numbers, or a constant.
  struct Operand {
    std::optional<std::size_t> axis;
    double constant = 0;
  };
  std::vector<Operand> operands_;
  std::vector<std::vector<double>> numbers_;  ///< by axis in the condition, by value
};

}  // namespace gdsim
