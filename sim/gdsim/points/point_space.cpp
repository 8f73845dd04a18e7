#include <gdsim/points/point_space.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/model/philox.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace gdsim {
namespace {

/// Whole numbers below a bound, one after the other, from independent streams.
class RandomNumbers {
 public:
  RandomNumbers(std::uint32_t stream, std::uint64_t seed) : stream_(stream), seed_(seed) {}

  std::uint64_t below(std::uint64_t bound) {
    const auto low = static_cast<std::uint32_t>(count_);
    const auto high = static_cast<std::uint32_t>(count_ >> 32);
    ++count_;
    return static_cast<std::uint64_t>((UInt128{first_word(philox({low, high, stream_, 0}, seed_))} * bound) >> 64);
  }

 private:
  std::uint32_t stream_;
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// 0 to count - 1 in random order.
std::vector<std::uint64_t> permutation(std::uint64_t count, RandomNumbers random) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

std::vector<std::uint64_t> latin_hypercube(const std::vector<std::uint64_t>& sizes, std::uint64_t count,
                                           std::uint64_t seed) {
  std::vector<std::uint64_t> drawn(count);
  std::uint64_t size = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto order = permutation(count, {static_cast<std::uint32_t>(axis), seed});
    for (std::uint64_t i = 0; i < count; ++i)
      drawn[i] = drawn[i] * sizes[axis] + static_cast<std::uint64_t>(UInt128{order[i]} * sizes[axis] / count);
    size *= sizes[axis];
  }
  std::set<std::uint64_t> points(drawn.begin(), drawn.end());
  RandomNumbers random(static_cast<std::uint32_t>(sizes.size()), seed);
  for (std::uint64_t tries = 0; points.size() < count && tries < 16 * count; ++tries) points.insert(random.below(size));
  for (std::uint64_t ordinal = 0; points.size() < count; ++ordinal) points.insert(ordinal);
  return {points.begin(), points.end()};
}

namespace {

constexpr std::uint64_t kMaxPoints = std::uint64_t{1} << 62;
constexpr std::uint64_t kMaxSample = 1'000'000;

}  // namespace

PointSpace::PointSpace(std::vector<Axis> axes, PointRules rules) : axes_(std::move(axes)), rules_(std::move(rules)) {
  if (axes_.empty())
    throw InputError("a sweep varies something: --vary NAME=LIST is needed, as in --vary tile=8,16,32");
  for (std::size_t i = 0; i < axes_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (axes_[k].name == axes_[i].name) throw InputError("--vary " + axes_[i].name + " was given twice");
  if (rules_.zip) {
    size_ = axes_.front().values.size();
    for (const Axis& axis : axes_)
      if (axis.values.size() != size_)
        throw InputError("--zip pairs lists of equal length; " + axes_.front().name + " has " + std::to_string(size_) +
                         " values, " + axis.name + " " + std::to_string(axis.values.size()));
    strides_.assign(axes_.size(), 1);
  } else {
    strides_.resize(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0;) {
      strides_[i] = size_;
      if (__builtin_mul_overflow(size_, axes_[i].values.size(), &size_) || size_ > kMaxPoints)
        throw InputError("the product of the lists has more than 2^62 points");
    }
  }
  if (!rules_.where.empty()) read_condition();
  if (rules_.sample) draw_sample();
}

std::size_t PointSpace::index(std::uint64_t ordinal, std::size_t axis) const {
  return static_cast<std::size_t>(ordinal / strides_[axis] % axes_[axis].values.size());
}

std::optional<std::uint64_t> PointSpace::ordinal(const std::vector<std::size_t>& indices) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (rules_.zip && indices[i] != indices.front()) return std::nullopt;
    found += rules_.zip ? 0 : indices[i] * strides_[i];
  }
  return rules_.zip ? indices.front() : found;
}

std::string PointSpace::name_of(std::uint64_t ordinal) const {
  std::string text;
  for (std::size_t i = 0; i < axes_.size(); ++i) text += (i > 0 ? ", " : "") + axes_[i].name + "=" + value(ordinal, i);
  return text;
}

void PointSpace::read_condition() {
  const auto fail = [&](const std::string& what) {
    throw InputError("--where " + in_quotes(rules_.where) + ": " + what);
  };
  try {
    where_.emplace(rules_.where);
  } catch (const ExpressionError& error) {
    fail("column " + std::to_string(error.position() + 1) + ": " + error.what());
  }
  numbers_.resize(axes_.size());
  for (const Expression::Name& name : where_->names()) {
    Operand operand;
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      known.push_back(axes_[i].name);
      if (axes_[i].name == name.text) operand.axis = i;
    }
    bool is_constant = false;
    for (const auto& [constant, value] : rules_.constants) {
      known.push_back(constant);
      if (operand.axis || constant != name.text) continue;
      operand.constant = value;
      is_constant = true;
    }
    if (!operand.axis && !is_constant)
      fail(in_quotes(name.text) + " is neither varied nor a parameter; " + known_names(name.text, known));
    if (operand.axis && numbers_[*operand.axis].empty())
      for (const std::string& value : axes_[*operand.axis].values) {
        const auto number = number_of(value);
        if (!number) fail("the value " + in_quotes(value) + " of " + in_quotes(name.text) + " is no number");
        numbers_[*operand.axis].push_back(*number);
      }
    operands_.push_back(operand);
  }
}

void PointSpace::draw_sample() {
  const std::uint64_t wanted = *rules_.sample;
  if (wanted > size_)
    throw InputError("--sample " + std::to_string(wanted) + ": there are only " + std::to_string(size_) + " points");
  if (wanted > kMaxSample)
    throw InputError("--sample " + std::to_string(wanted) + ": at most " + std::to_string(kMaxSample) +
                     " points can be drawn");
  std::vector<std::uint64_t> sizes{size_};
  if (!rules_.zip) {
    sizes.clear();
    for (const Axis& axis : axes_) sizes.push_back(axis.values.size());
  }
  sample_ = latin_hypercube(sizes, wanted, rules_.seed);
}

bool PointSpace::holds(std::uint64_t ordinal) const {
  if (!where_) return true;
  std::vector<double> values;
  for (const Operand& operand : operands_)
    values.push_back(operand.axis ? numbers_[*operand.axis][index(ordinal, *operand.axis)] : operand.constant);
  try {
    return where_->value(values) != 0;
  } catch (const ExpressionError& error) {
    throw InputError("--where " + in_quotes(rules_.where) + ": at " + name_of(ordinal) + ": " + error.what());
  }
}

bool PointSpace::contains(std::uint64_t ordinal) const {
  return ordinal < size_ && (!rules_.sample || std::binary_search(sample_.begin(), sample_.end(), ordinal)) &&
         holds(ordinal);
}

std::optional<std::uint64_t> PointSpace::next(std::uint64_t ordinal) const {
  if (rules_.sample) {
    for (auto at = std::lower_bound(sample_.begin(), sample_.end(), ordinal); at != sample_.end(); ++at)
      if (holds(*at)) return *at;
    return std::nullopt;
  }
  for (; ordinal < size_; ++ordinal)
    if (holds(ordinal)) return ordinal;
  return std::nullopt;
}

std::uint64_t PointSpace::count() const {
  if (!where_) return rules_.sample ? sample_.size() : size_;
  std::uint64_t found = 0;
  for (auto ordinal = next(0); ordinal; ordinal = next(*ordinal + 1)) ++found;
  return found;
}

}  // namespace gdsim
