#include <gdsim/import/ptx/group_translation.hpp>

#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <bit>

namespace gdsim {
namespace {

/// Numbers beyond these are not followed.
constexpr std::int64_t kFarthest = std::int64_t{1} << 60;

constexpr auto kSector = static_cast<std::int64_t>(kSectorBytes);

/// An operand's number, of which kFarthest stands for those that are not followed.
std::int64_t number_of(std::uint64_t bits, const IntegerOperation& operation) {
  const std::int64_t value = operation.number_in(bits);
  const bool is_far = (!operation.is_signed && value < 0) || value > kFarthest || value < -kFarthest;
  return is_far ? kFarthest : value;
}

template <class Use>
void for_each_lane(std::uint32_t lanes, Use&& use) {
  for (; lanes != 0; lanes &= lanes - 1) use(static_cast<std::size_t>(std::countr_zero(lanes)));
}

GroupSlope difference(const GroupSlope& a, const GroupSlope& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

}  // namespace

void GroupTranslation::limit(const GroupSlope& slope, std::int64_t least, std::int64_t most) {
  if (slope == kNoSlope) return;
  for (Limit& known : limits_) {
    if (known.slope != slope) continue;
    known.least = std::max(known.least, least);
    known.most = std::min(known.most, most);
    return;
  }
  limits_.push_back({slope, least, most});
}

void GroupTranslation::add_limits(std::uint32_t number, const std::array<const LaneValues*, 4>& operands,
                                  std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_->instructions[number];
  for (const SlopeCondition& condition : slopes_->conditions[number]) {
    if (condition.rule == SlopeCondition::Rule::decided) {
      limit_to_comparison(number, operands, active);
    } else if (condition.rule == SlopeCondition::Rule::below) {
      const LaneValues& values = *operands[condition.operand];
      const GroupSlope slope = slope_of(instruction.sources[1 - condition.operand]);
      for_each_lane(active & values.known, [&](std::size_t lane) {
        const unsigned unused = 64 - instruction.operation->bits;
        if ((values.bits[lane] << unused) >> unused >= condition.limit) limit(slope, 0, 0);
      });
    } else {
      limit_to_range(slope_of(instruction.sources[condition.operand]), *operands[condition.operand],
                     *instruction.operation, condition.rule == SlopeCondition::Rule::positive, active);
    }
  }
}

void GroupTranslation::limit_to_range(const GroupSlope& slope, const LaneValues& values,
                                      const IntegerOperation& operation, bool is_positive, std::uint32_t active) {
  if (slope == kNoSlope) return;
  const unsigned bits = std::min(operation.bits, 60U) - (operation.is_signed ? 1 : 0);
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  const std::int64_t least = operation.is_signed && !is_positive ? -most - 1 : 0;
  for_each_lane(active & values.known, [&](std::size_t lane) {
    const std::int64_t value = number_of(values.bits[lane], operation);
    limit(slope, std::min<std::int64_t>(0, least - value), std::max<std::int64_t>(0, most - value));
    if (value < least || value > most) limit(slope, 0, 0);
  });
}

/// A work-group's comparison comes out alike if x - y stays on the same side of the threshold, or, where equality
/// decides, on the same side of 0.
void GroupTranslation::limit_to_comparison(std::uint32_t number, const std::array<const LaneValues*, 4>& operands,
                                           std::uint32_t active) {
  using Compare = IntegerOperation::Compare;
  const PreparedInstruction& instruction = kernel_->instructions[number];
  const IntegerOperation& operation = *instruction.operation;
  const GroupSlope a = slope_of(instruction.sources[0]);
  const GroupSlope b = slope_of(instruction.sources[1]);
  limit_to_range(a, *operands[0], operation, false, active & operands[1]->known);
  limit_to_range(b, *operands[1], operation, false, active & operands[0]->known);
  const bool is_equality = operation.compare == Compare::eq || operation.compare == Compare::ne;
  const bool is_le_or_gt = operation.compare == Compare::le || operation.compare == Compare::gt;
  for_each_lane(active & operands[0]->known & operands[1]->known, [&](std::size_t lane) {
    const std::int64_t x = number_of(operands[0]->bits[lane], operation);
    const std::int64_t y = number_of(operands[1]->bits[lane], operation);
    const std::int64_t apart = x - y;
    if (x == kFarthest || y == kFarthest || (is_equality && apart == 0)) return limit(difference(a, b), 0, 0);
    const std::int64_t threshold = is_le_or_gt ? 1 : 0;  // the lowest x - y that compares otherwise than lower ones
    if (is_equality ? apart > 0 : apart >= threshold)
      limit(difference(a, b), (is_equality ? 1 : threshold) - apart, kFarthest);
    else
      limit(difference(a, b), -kFarthest, (is_equality ? 0 : threshold) - 1 - apart);
  });
}

void GroupTranslation::on_access(std::uint32_t number, const LaneValues& addresses, std::uint32_t active) {
  const GroupSlope slope = slope_of(kernel_->instructions[number].address);
  const PtxRole role = kernel_->instructions[number].traits.role;
  const bool reads = role == PtxRole::load || role == PtxRole::copy;
  std::uint64_t last_pointer = 0;
  constexpr auto widest = std::int64_t{1} << 10;
  constexpr std::int64_t range = std::int64_t{1} << kPointerBits;
  for_each_lane(active, [&](std::size_t lane) {
    const std::uint64_t pointer = addresses.bits[lane] >> kPointerBits;
    const auto begin = static_cast<std::int64_t>(addresses.bits[lane] & ((std::uint64_t{1} << kPointerBits) - 1));
    if (pointer == 0 || is_local_address(addresses.bits[lane])) return limit(slope, 0, 0);
    limit(slope, -begin, std::max<std::int64_t>(0, range - widest - begin));
    if (!reads || pointer == last_pointer) return;
    last_pointer = pointer;
    const GroupSlope& known = pointers_.try_emplace(pointer, slope).first->second;
    limit(difference(slope, known), 0, 0);
  });
}

std::int64_t GroupTranslation::distance_to(const Place& place, const GroupSlope& slope) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    sum += slope[i] * (static_cast<std::int64_t>(place[i]) - static_cast<std::int64_t>(place_[i]));
  return sum;
}

bool GroupTranslation::stands_for(const Place& place) const {
  const bool is_within = std::all_of(limits_.begin(), limits_.end(), [&](const Limit& known) {
    const std::int64_t distance = distance_to(place, known.slope);
    return known.least <= distance && distance <= known.most;
  });
  return is_within && std::all_of(pointers_.begin(), pointers_.end(),
                                  [&](const auto& known) { return distance_to(place, known.second) % kSector == 0; });
}

std::int64_t GroupTranslation::sectors_to(const Place& place, std::uint64_t pointer) const {
  const auto known = pointers_.find(pointer);
  return known == pointers_.end() ? 0 : distance_to(place, known->second) / kSector;
}

}  // namespace gdsim
