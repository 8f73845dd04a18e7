#include <gdsim/import/ptx/iteration_skip.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// What an operand is, and by how much it grows in the counted iterations.
struct Growth {
  const LaneValues* now = nullptr;
  const LaneValues* before = nullptr;  ///< null: it does not grow
};

/// How many more iterations the comparison of a loop lets go on, at least, in a lane; 0: it is not known.
std::uint64_t left_in_lane(const IntegerOperation& operation, const Growth& a, const Growth& b, std::uint32_t lane) {
  const auto difference = [&](bool is_before) {
    const auto value = [&](const Growth& of) {
      const LaneValues& values = is_before && of.before != nullptr ? *of.before : *of.now;
      return operation.number_in(values.bits[lane]);
    };
    return value(a) - value(b);
  };
  const std::int64_t now = difference(false);
  const std::int64_t per_window = now - difference(true);
  constexpr auto window = static_cast<std::int64_t>(IterationSkip::kIterations);
  if (per_window == 0 || per_window % window != 0 || (now < 0) == (per_window < 0)) return 0;
  const std::int64_t step = per_window / window;
  const bool ends_at_one =
      operation.compare == IntegerOperation::Compare::eq || operation.compare == IntegerOperation::Compare::ne;
  if (ends_at_one && now % step != 0) return 0;
  return static_cast<std::uint64_t>(-(now / step));
}

}  // namespace

std::vector<LaneValues> IterationSkip::values_of(const RegularLoop& loop, const ExecutionSlice& slice,
                                                 const std::vector<LaneValues>& registers) const {
  std::vector<LaneValues> values;
  for (const RegularLoop::Register& reg : loop.written) values.push_back(registers[slice.slot[reg.index]]);
  return values;
}

/// Returns true if registers are known and grow by the same amount in both halves of the counted iterations, or keep
/// their values.
bool IterationSkip::grows_evenly(const RegularLoop& loop, const std::vector<LaneValues>& now) const {
  constexpr std::uint64_t half = kIterations / 2;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const unsigned bits = loop.written[i].bits;
    if ((now[i].known & begin_[i].known & middle_[i].known) != now[i].known) return false;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (((now[i].known >> lane) & 1) == 0) continue;
      const std::uint64_t first = cut(middle_[i].bits[lane] - begin_[i].bits[lane], bits);
      const std::uint64_t second = cut(now[i].bits[lane] - middle_[i].bits[lane], bits);
      const std::int64_t step = extended(second, bits);
      if (first != second || step % static_cast<std::int64_t>(half) != 0) return false;
      if (!loop.written[i].grows && second != 0) return false;
    }
  }
  return true;
}

std::uint64_t IterationSkip::at_head(const RegularLoop& loop, std::uint64_t iteration, const PreparedKernel& kernel,
                                     const ExecutionSlice& slice, std::vector<LaneValues>& registers, BlockLog& log) {
  if (iteration == kIterations + 1) {
    begin_ = values_of(loop, slice, registers);
    counts_.assign(1, log.counts_of_warp());
  } else if (iteration == kIterations + kIterations / 2 + 1) {
    middle_ = values_of(loop, slice, registers);
  }
  if (iteration != 2 * kIterations + 1 || counts_.empty()) return 0;
  const std::vector<LaneValues> now = values_of(loop, slice, registers);
  const ExecutionCounts before = std::move(counts_.front());
  counts_.clear();
  if (!grows_evenly(loop, now)) return 0;

  const PreparedInstruction& compare = kernel.instructions[loop.compare];
  const auto growth_of = [&](const ValueSource& source) {
    if (source.kind == ValueSource::Form::constant) return Growth{&kernel.constants[source.index], nullptr};
    if (source.kind != ValueSource::Form::reg) return Growth{};
    for (std::size_t i = 0; i < now.size(); ++i)
      if (loop.written[i].index == source.index) return Growth{&now[i], &begin_[i]};
    return Growth{&registers[slice.slot[source.index]], nullptr};
  };
  const Growth a = growth_of(compare.sources[0]);
  const Growth b = growth_of(compare.sources[1]);
  if (a.now == nullptr || b.now == nullptr) return 0;
  std::uint64_t left = ~std::uint64_t{0};
  const std::uint32_t known = a.now->known & b.now->known;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (((known >> lane) & 1) != 0) left = std::min(left, left_in_lane(*compare.operation, a, b, lane));
  constexpr std::uint64_t margin = 2;  // the comparison may look at this iteration's value or the next one's
  if (known == 0 || left < kIterations + margin) return 0;
  const std::uint64_t windows = (left - margin) / kIterations;
  for (std::size_t i = 0; i < now.size(); ++i) {
    LaneValues& value = registers[slice.slot[loop.written[i].index]];
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      value.bits[lane] =
          cut(value.bits[lane] + windows * (now[i].bits[lane] - begin_[i].bits[lane]), loop.written[i].bits);
  }
  log.repeat_warp(before, windows);
  return windows * kIterations;
}

}  // namespace gdsim
