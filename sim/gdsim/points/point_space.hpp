#pragma once

#include <gdsim/points/axis.hpp>
#include <gdsim/scenario/expressions/expression.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The points of a study: the product of its axes, or their pairs, less what a condition drops or a sample leaves out.
struct PointRules {
  bool zip = false;                     ///< the first values of all axes are a point, the second ones, ...
  std::string where;                    ///< an expression over the axes; empty: all points. 0 drops a point
  std::optional<std::uint64_t> sample;  ///< number of points, drawn by Latin hypercube
  std::uint64_t seed = 0;               ///< of the sample
  /// What else the condition may name, in base units.
  std::vector<std::pair<std::string, double>> constants = {};
};

/// A point is known by its ordinal: its place in the product, the last axis fastest. Memory does not grow with the
/// number of points, but for a sample: 8 bytes each. May be used by one thread at a time.
class PointSpace {
 public:
  /// Throws InputError: lists of different lengths to be paired, a product of more than 2^62 points, a condition that
  /// cannot be evaluated, a sample larger than the product.
  PointSpace(std::vector<Axis> axes, PointRules rules);

  const std::vector<Axis>& axes() const { return axes_; }
  const PointRules& rules() const { return rules_; }
  /// Ordinals are below this.
  std::uint64_t size() const { return size_; }

  /// The index of the value that the point has on an axis.
  std::size_t index(std::uint64_t ordinal, std::size_t axis) const;
  const std::string& value(std::uint64_t ordinal, std::size_t axis) const {
    return axes_[axis].values[index(ordinal, axis)];
  }
  /// The point with these indices; nothing if pairs have none.
  std::optional<std::uint64_t> ordinal(const std::vector<std::size_t>& indices) const;
  /// `tile=32, stages=2`.
  std::string name_of(std::uint64_t ordinal) const;

  /// Whether the point belongs to the study.
  bool contains(std::uint64_t ordinal) const;
  /// The first point of the study at or behind `ordinal`.
  std::optional<std::uint64_t> next(std::uint64_t ordinal) const;
  /// How many points the study has. Takes as long as all of them.
  std::uint64_t count() const;

 private:
  void read_condition();
  void draw_sample();
  bool holds(std::uint64_t ordinal) const;

  std::vector<Axis> axes_;
  PointRules rules_;
  std::uint64_t size_ = 1;
  std::vector<std::uint64_t> strides_;  ///< by axis: how many points have the same value in a row
  std::vector<std::uint64_t> sample_;   ///< ordinals, ascending
  std::optional<Expression> where_;
  /// By name of the condition: the axis, whose values are numbers, or the constant.
  struct Operand {
    std::optional<std::size_t> axis;
    double constant = 0;
  };
  std::vector<Operand> operands_;
  std::vector<std::vector<double>> numbers_;  ///< by axis that the condition names, by value
};

}  // namespace gdsim
