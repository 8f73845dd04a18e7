#include <gdsim/import/ptx/group_translation.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {
namespace {

using Code = IntegerOperation::Code;
using Rule = SlopeCondition::Rule;

GroupSlope slope_of_special(std::uint32_t index, const PtxLaunch& launch) {
  GroupSlope slope{};
  const std::uint32_t dimension = index - SpecialRegister::ctaid;
  if (dimension < slope.size() && launch.grid[dimension] > 1) slope[dimension] = 1;
  return slope;
}

std::optional<std::uint64_t> constant_of_special(std::uint32_t index, const PtxLaunch& launch) {
  if (index - SpecialRegister::ntid < launch.block.size()) return launch.block[index - SpecialRegister::ntid];
  if (index - SpecialRegister::nctaid < launch.grid.size()) return launch.grid[index - SpecialRegister::nctaid];
  return std::nullopt;
}

/// What is known of a register, from all instructions that write it.
struct KnownValue {
  bool is_written = false;
  bool is_other = false;  ///< it may change otherwise than by a slope
  GroupSlope slope{};
  std::optional<std::uint64_t> constant{};
  unsigned bits = 64;

  bool operator==(const KnownValue&) const = default;
  bool has_slope() const { return slope != kNoSlope; }
};

KnownValue other_value() {
  KnownValue value;
  value.is_written = value.is_other = true;
  return value;
}

KnownValue value_with(const GroupSlope& slope) {
  KnownValue value;
  value.is_written = true;
  value.slope = slope;
  return value;
}

/// One call of group_slopes().
class SlopeSearch {
 public:
  SlopeSearch(const PreparedKernel& kernel, const ExecutionSlice& slice, const PtxLaunch& launch)
      : kernel_(kernel), slice_(slice), launch_(launch), values_(kernel.kernel->registers.size()) {}

  std::optional<GroupSlopes> found() {
    result_.launch = &launch_;
    result_.conditions.resize(kernel_.instructions.size());
    for (has_changed_ = true; has_changed_;) {
      has_changed_ = false;
      for (const auto& block : slice_.by_block)
        for (const std::uint32_t number : block) follow(number);
    }
    for (const auto& block : slice_.by_block)
      for (const std::uint32_t number : block)
        if (value_of(kernel_.instructions[number].amount).has_slope()) return std::nullopt;
    for (const KnownValue& value : values_) {
      if (value.is_other) return std::nullopt;
      result_.by_register.push_back(value.slope);
    }
    return std::move(result_);
  }

 private:
  void follow(std::uint32_t number) {
    const PreparedInstruction& instruction = kernel_.instructions[number];
    for (std::size_t i = 0; i < instruction.destinations.size(); ++i) {
      const std::uint32_t reg = instruction.destinations[i];
      if (slice_.needs(reg)) join(values_[reg], result_of(number, i));
    }
  }

  void join(KnownValue& to, const KnownValue& from) {
    if (!from.is_written || to.is_other) return;
    KnownValue joined = from;
    if (to.is_written && (to.slope != from.slope || (to.bits != from.bits && to.has_slope()))) joined.is_other = true;
    if (to.is_written && to.constant != from.constant) joined.constant.reset();
    if (to.is_written) joined.bits = std::min(to.bits, from.bits);
    if (joined.is_other) joined = other_value();
    if (joined == to) return;
    to = joined;
    has_changed_ = true;
  }

  KnownValue value_of(const ValueSource& source) const {
    if (source.kind == ValueSource::Form::reg) return values_[source.index];
    KnownValue value = value_with(kNoSlope);
    const auto set_constant = [&](const LaneValues& lanes) {
      if (lanes.known == kAllLanes && std::count(lanes.bits.begin(), lanes.bits.end(), lanes.bits[0]) == kLanes)
        value.constant = lanes.bits[0];
    };
    if (source.kind == ValueSource::Form::constant) set_constant(kernel_.constants[source.index]);
    if (source.kind == ValueSource::Form::special) {
      value.bits = 32;  // of each special register that is executed
      value.slope = slope_of_special(source.index, launch_);
      value.constant = constant_of_special(source.index, launch_);
    }
    return value;
  }

  KnownValue result_of(std::uint32_t number, std::size_t destination) {
    const PreparedInstruction& instruction = kernel_.instructions[number];
    if (!instruction.loaded.empty()) {
      ValueSource constant;
      constant.kind = ValueSource::Form::constant;
      constant.index = instruction.loaded[destination];
      return value_of(constant);
    }
    const bool is_shuffled = instruction.result == LaneResult::shuffled && destination == 0;
    const bool is_computed = instruction.operation && instruction.result == LaneResult::computed;
    if (!is_shuffled && !is_computed) return value_with(kNoSlope);
    std::array<KnownValue, 4> in;
    bool has_slope = false;
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = value_of(instruction.sources[i]);
      if (in[i].is_other) return other_value();
      if (!in[i].is_written) return {};  // an unknown value, whose result is unknown
      has_slope = has_slope || in[i].has_slope();
    }
    if (is_shuffled) return in[1].has_slope() || in[2].has_slope() ? other_value() : value_with(in[0].slope);
    return has_slope ? sloped(number, *instruction.operation, in) : without_slope(number, *instruction.operation, in);
  }

  KnownValue without_slope(std::uint32_t number, const IntegerOperation& operation,
                           const std::array<KnownValue, 4>& in) const {
    KnownValue result = value_with(kNoSlope);
    const PreparedInstruction& instruction = kernel_.instructions[number];
    std::array<LaneValues, 4> values;
    std::array<const LaneValues*, 4> operands{};
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (instruction.sources[i].kind == ValueSource::Form::none) continue;
      if (!in[i].constant || instruction.sources[i].is_negated) return result;
      values[i] = LaneValues::all(*in[i].constant);
      operands[i] = &values[i];
    }
    LaneValues computed;
    evaluate(operation, operands, number, computed);
    if (computed.known == kAllLanes) result.constant = computed.bits[0];
    return result;
  }

  KnownValue sloped(std::uint32_t number, const IntegerOperation& operation, const std::array<KnownValue, 4>& in) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      const bool is_wide = operation.code == Code::mad && i == 2;
      if (in[i].has_slope() && in[i].bits < (is_wide ? operation.result_bits : operation.bits)) return other_value();
    }
    result_.conditions[number].clear();
    const auto slope = slope_of(number, operation, in);
    return slope ? normalized(*slope, operation.result_bits) : other_value();
  }

  void require(std::uint32_t number, Rule rule, std::uint32_t operand, std::uint64_t limit = 0) {
    result_.conditions[number].push_back({rule, operand, limit});
  }

  std::optional<GroupSlope> slope_of(std::uint32_t number, const IntegerOperation& operation,
                                     const std::array<KnownValue, 4>& in) {
    const bool is_widened = operation.result_bits > operation.bits;
    switch (operation.code) {
      case Code::move:
        if (is_widened) require(number, Rule::in_range, 0);
        return in[0].slope;
      case Code::add: return sum(in[0].slope, in[1].slope, 1);
      case Code::sub: return sum(in[0].slope, in[1].slope, -1);
      case Code::neg:
      case Code::bit_not: return sum(kNoSlope, in[0].slope, -1);
      case Code::mul:
      case Code::mad: return slope_of_product(number, operation, in);
      case Code::shl:
        if (!in[1].constant || *in[1].constant >= operation.bits) return std::nullopt;
        return product(in[0].slope, std::uint64_t{1} << *in[1].constant);
      case Code::shr:
        if (!in[1].constant || *in[1].constant >= 32) return std::nullopt;
        require(number, Rule::in_range, 0);
        return quotient(in[0].slope, std::int64_t{1} << *in[1].constant);
      case Code::div:
      case Code::rem: return slope_of_quotient(number, operation, in);
      case Code::bit_and:
      case Code::bit_or:
      case Code::bit_xor: return slope_of_bits(number, operation, in);
      case Code::bfi: return slope_of_inserted(operation, in);
      case Code::select:
        if (in[2].has_slope() || in[0].slope != in[1].slope) return std::nullopt;
        return in[0].slope;
      case Code::compare:
        if (in[2].has_slope()) return std::nullopt;
        require(number, Rule::decided, 0);
        return kNoSlope;
      default: return std::nullopt;
    }
  }

  std::optional<GroupSlope> slope_of_product(std::uint32_t number, const IntegerOperation& operation,
                                             const std::array<KnownValue, 4>& in) {
    const GroupSlope& addend = operation.code == Code::mad ? in[2].slope : kNoSlope;
    if (!in[0].has_slope() && !in[1].has_slope()) return addend;
    const std::uint32_t growing = in[0].has_slope() ? 0 : 1;
    const auto factor = in[1 - growing].constant;
    if (in[1 - growing].has_slope() || !factor || operation.part == IntegerOperation::Part::high) return std::nullopt;
    if (operation.part == IntegerOperation::Part::wide) require(number, Rule::in_range, growing);
    const unsigned unused = 64 - operation.bits;
    const std::uint64_t shifted = *factor << unused;
    const std::uint64_t value = operation.is_signed
                                    ? static_cast<std::uint64_t>(static_cast<std::int64_t>(shifted) >> unused)
                                    : shifted >> unused;
    const auto grown = product(in[growing].slope, value);
    return grown ? sum(*grown, addend, 1) : std::nullopt;
  }

  std::optional<GroupSlope> slope_of_quotient(std::uint32_t number, const IntegerOperation& operation,
                                              const std::array<KnownValue, 4>& in) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 31;
    if (in[1].has_slope() || !in[1].constant || *in[1].constant == 0 || *in[1].constant >= largest) return std::nullopt;
    require(number, Rule::positive, 0);
    const auto grown = quotient(in[0].slope, static_cast<std::int64_t>(*in[1].constant));
    if (!grown) return std::nullopt;
    return operation.code == Code::rem ? kNoSlope : *grown;
  }

  /// Of a value that is shifted to the left, above the lowest bits of another one.
  static std::optional<GroupSlope> slope_of_inserted(const IntegerOperation& operation,
                                                     const std::array<KnownValue, 4>& in) {
    const auto begin = in[2].constant;
    if (!begin || !in[3].constant || *begin >= operation.bits || *in[3].constant > operation.bits) return std::nullopt;
    const std::uint64_t unit = std::uint64_t{1} << *begin;
    if (*begin + *in[3].constant < operation.bits || *begin >= 32) return std::nullopt;
    if (!quotient(in[1].slope, static_cast<std::int64_t>(unit))) return std::nullopt;
    return product(in[0].slope, unit);
  }

  /// A value whose lower bits are alike in all work-groups, with a value that has no others.
  std::optional<GroupSlope> slope_of_bits(std::uint32_t number, const IntegerOperation& operation,
                                          const std::array<KnownValue, 4>& in) {
    const std::uint32_t growing = in[0].has_slope() ? 0 : 1;
    const KnownValue& other = in[1 - growing];
    if (other.has_slope()) return std::nullopt;
    std::uint64_t all = std::uint64_t{1} << (operation.bits - 1);
    for (const std::int64_t slope : in[growing].slope) all |= static_cast<std::uint64_t>(slope);
    const std::uint64_t lowest = all & (~all + 1);
    const unsigned unused = 64 - operation.bits;
    const bool is_and = operation.code == Code::bit_and;
    if (is_and && other.constant && (~*other.constant << unused) >> unused < lowest) return in[growing].slope;
    require(number, Rule::below, 1 - growing, lowest);
    return is_and ? kNoSlope : in[growing].slope;
  }

  /// a + sign * b, modulo 2^64 as products are.
  static std::optional<GroupSlope> sum(const GroupSlope& a, const GroupSlope& b, std::int64_t sign) {
    const auto negated_or_not = product(b, static_cast<std::uint64_t>(sign));
    GroupSlope result;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(a[i]) +
                                            static_cast<std::uint64_t>((*negated_or_not)[i]));
    return result;
  }

  static std::optional<GroupSlope> product(const GroupSlope& slope, std::uint64_t factor) {
    GroupSlope result;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(slope[i]) * factor);
    return result;
  }

  static std::optional<GroupSlope> quotient(const GroupSlope& slope, std::int64_t divisor) {
    GroupSlope result;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (slope[i] % divisor != 0) return std::nullopt;
      result[i] = slope[i] / divisor;
    }
    return result;
  }

  /// The slope modulo 2^bits. One with which sums over the whole grid would not fit into 64 bits counts as none.
  KnownValue normalized(GroupSlope slope, unsigned bits) const {
    constexpr std::int64_t largest = std::int64_t{1} << 58;
    for (std::size_t i = 0; i < slope.size(); ++i) {
      slope[i] = extended(static_cast<std::uint64_t>(slope[i]), bits);
      const std::int64_t most = largest / static_cast<std::int64_t>(launch_.grid[i]);
      if (slope[i] > most || slope[i] < -most) return other_value();
    }
    KnownValue value = value_with(slope);
    value.bits = bits;
    return value;
  }

  const PreparedKernel& kernel_;
  const ExecutionSlice& slice_;
  const PtxLaunch& launch_;
  std::vector<KnownValue> values_;  ///< by register
  GroupSlopes result_;
  bool has_changed_ = false;
};

}  // namespace

GroupSlope GroupSlopes::slope_of(const ValueSource& source) const {
  if (source.kind == ValueSource::Form::reg) return by_register[source.index];
  return source.kind == ValueSource::Form::special ? slope_of_special(source.index, *launch) : kNoSlope;
}

std::optional<GroupSlopes> group_slopes(const PreparedKernel& kernel, const ExecutionSlice& slice,
                                        const PtxLaunch& launch) {
  return SlopeSearch(kernel, slice, launch).found();
}

}  // namespace gdsim
