#include <gdsim/import/ptx/block_log.hpp>

#include <gdsim/import/ptx/warp_run.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace gdsim {
namespace {

using Code = IntegerOperation::Code;

/// How the value of a register changes from iteration to iteration.
enum class Change : std::uint8_t { none, linear, other };

Change larger(Change a, Change b) { return std::max(a, b); }

/// Finds out whether one loop is regular.
class LoopCheck {
 public:
  LoopCheck(const PreparedKernel& kernel, const ExecutionSlice& slice, const FlowLoop& loop)
      : kernel_(kernel), slice_(slice), loop_(loop) {
    for (const std::uint32_t block : loop.blocks)
      for (const std::uint32_t i : slice.by_block[block])
        for (const std::uint32_t reg : kernel.instructions[i].destinations)
          if (slice.needs(reg)) {
            changes_.emplace(reg, Change::none);
            ++writes_[reg];
          }
  }

  std::optional<RegularLoop> regular_loop() {
    if (!find_changes()) return std::nullopt;
    RegularLoop result;
    std::set<std::uint32_t> compares;
    for (const std::uint32_t block : loop_.blocks)
      if (!check_block(block, compares)) return std::nullopt;
    if (compares.size() != 1) return std::nullopt;
    result.compare = *compares.begin();
    for (const auto& [reg, change] : changes_)
      if (change != Change::other)
        result.written.push_back({reg, bits_[reg] == 0 ? 64 : bits_[reg], change == Change::linear});
    return result;
  }

 private:
  /// Returns true if every needed register but predicates keeps its value, or changes by the same amount in each
  /// iteration. A register that is written from itself grows, and so does what is computed from it.
  bool find_changes() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (const std::uint32_t block : loop_.blocks)
        for (const std::uint32_t i : slice_.by_block[block])
          for (const std::uint32_t reg : kernel_.instructions[i].destinations) {
            const auto at = changes_.find(reg);
            if (at == changes_.end()) continue;
            const Change change = larger(at->second, change_of(kernel_.instructions[i], reg));
            has_changed = has_changed || change != at->second;
            at->second = change;
          }
    }
    return std::none_of(changes_.begin(), changes_.end(),
                        [&](const auto& entry) { return entry.second == Change::other && !is_predicate(entry.first); });
  }

  Change change_of_source(const ValueSource& source) const {
    if (source.kind != ValueSource::Form::reg) return Change::none;
    const auto at = changes_.find(source.index);
    return at == changes_.end() ? Change::none : at->second;
  }

  Change change_of(const PreparedInstruction& instruction, std::uint32_t reg) {
    if (!instruction.loaded.empty()) return Change::none;
    const bool is_guarded = instruction.predicate.has_value();
    if (!instruction.operation || instruction.result != LaneResult::computed) return Change::other;
    const IntegerOperation& operation = *instruction.operation;
    bits_[reg] = std::max(bits_[reg], operation.extends ? 64U : operation.result_bits);
    std::array<Change, 4> in{};
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = change_of_source(instruction.sources[i]);
    const bool is_from_itself = is_computed_from_itself(reg);
    const Change all = larger(larger(in[0], in[1]), larger(in[2], in[3]));
    if (all == Change::other || ((is_guarded || is_written_twice(reg)) && (all != Change::none || is_from_itself)))
      return Change::other;
    switch (operation.code) {
      case Code::add:
      case Code::sub:
      case Code::move: return is_from_itself ? Change::linear : all;
      case Code::mul:
        return is_from_itself || in[1] != Change::none ? other_unless_none(all) : change_of_product(operation, all);
      case Code::mad:
        return is_from_itself || in[1] != Change::none ? other_unless_none(all) : change_of_product(operation, all);
      case Code::shl: return is_from_itself || in[1] != Change::none ? other_unless_none(all) : all;
      default: return is_from_itself ? Change::other : other_unless_none(all);
    }
  }

  static Change other_unless_none(Change change) { return change == Change::none ? change : Change::other; }

  /// Returns the change of a product with a constant. Its high half does not grow evenly.
  static Change change_of_product(const IntegerOperation& operation, Change change) {
    return operation.part == IntegerOperation::Part::high ? other_unless_none(change) : change;
  }

  /// Returns true if the register is computed from its own value, only by copies and by sums with registers that the
  /// loop does not write.
  bool is_computed_from_itself(std::uint32_t reg) const {
    std::uint32_t at = reg;
    constexpr int longest = 64;
    for (int step = 0; step < longest; ++step) {
      const auto next = is_written_twice(at) ? std::nullopt : only_changing_source(at);
      if (!next) return false;
      if (*next == reg) return true;
      at = *next;
    }
    return false;
  }

  /// The register from which a copy or sum makes this one; nothing if it is made otherwise, or of several.
  std::optional<std::uint32_t> only_changing_source(std::uint32_t reg) const {
    const PreparedInstruction* const from = writer_of(reg);
    if (from == nullptr || !from->operation || from->predicate) return std::nullopt;
    const Code code = from->operation->code;
    if (code != Code::add && code != Code::sub && code != Code::move) return std::nullopt;
    std::optional<std::uint32_t> found;
    for (std::size_t i = 0; i < from->sources.size(); ++i) {
      const ValueSource& source = from->sources[i];
      if (source.kind != ValueSource::Form::reg || changes_.count(source.index) == 0) continue;
      if (found || (code == Code::sub && i > 0)) return std::nullopt;
      found = source.index;
    }
    return found;
  }

  const PreparedInstruction* writer_of(std::uint32_t reg) const {
    for (const std::uint32_t block : loop_.blocks)
      for (const std::uint32_t i : slice_.by_block[block]) {
        const auto& to = kernel_.instructions[i].destinations;
        if (std::find(to.begin(), to.end(), reg) != to.end()) return &kernel_.instructions[i];
      }
    return nullptr;
  }

  bool is_written_twice(std::uint32_t reg) const { return writes_.at(reg) > 1; }

  bool is_predicate(std::uint32_t reg) const {
    const PreparedInstruction* const from = writer_of(reg);
    return from != nullptr && from->operation && from->operation->code == Code::compare &&
           from->operation->combine == IntegerOperation::Combine::none;
  }

  bool has_changing_predicate(const PreparedInstruction& instruction) const {
    if (!instruction.predicate) return false;
    const auto at = changes_.find(*instruction.predicate);
    return at != changes_.end() && at->second != Change::none;
  }

  /// Adds the comparison of a branch that leaves the loop. Returns false if a changing predicate decides anything else.
  bool check_block(std::uint32_t block, std::set<std::uint32_t>& compares) const {
    for (const std::uint32_t i : slice_.by_block[block])
      if (has_changing_predicate(kernel_.instructions[i])) return false;
    const std::uint32_t last = kernel_.flow.blocks[block].end - 1;
    const PreparedInstruction& branch = kernel_.instructions[last];
    if (branch.traits.role != PtxRole::branch || !has_changing_predicate(branch)) return true;
    if (loop_.holds(branch.target) == loop_.holds(block + 1)) return false;
    const PreparedInstruction* const from = writer_of(*branch.predicate);
    if (from == nullptr || is_written_twice(*branch.predicate)) return false;
    compares.insert(static_cast<std::uint32_t>(from - kernel_.instructions.data()));
    return true;
  }

  const PreparedKernel& kernel_;
  const ExecutionSlice& slice_;
  const FlowLoop& loop_;
  std::map<std::uint32_t, Change> changes_;  ///< by needed register that the loop writes
  std::map<std::uint32_t, unsigned> bits_;
  std::map<std::uint32_t, unsigned> writes_;
};

}  // namespace

std::vector<std::optional<RegularLoop>> regular_loops(const PreparedKernel& kernel, const ExecutionSlice& slice) {
  std::vector<std::optional<RegularLoop>> found;
  for (const FlowLoop& loop : kernel.flow.loops)
    found.push_back(loop.parent ? std::nullopt : LoopCheck(kernel, slice, loop).regular_loop());
  return found;
}

namespace {

/// The values of an operand now, and before the counted iterations.
struct ValueChange {
  const LaneValues* now = nullptr;
  const LaneValues* before = nullptr;  ///< null: the same
};

/// Returns how many more iterations a lane executes, at least, until the loop's comparison ends it; 0: it is not known.
std::uint64_t left_in_lane(const IntegerOperation& operation, const ValueChange& a, const ValueChange& b,
                           std::uint32_t lane) {
  const auto difference = [&](bool is_before) {
    const auto value = [&](const ValueChange& operand) {
      const LaneValues& values = is_before && operand.before != nullptr ? *operand.before : *operand.now;
      return operation.number_in(values.bits[lane]);
    };
    return value(a) - value(b);
  };
  const std::int64_t now = difference(false);
  const std::int64_t per_window = now - difference(true);
  constexpr auto window = static_cast<std::int64_t>(IterationSkip::kIterations);
  if (per_window == 0 || per_window % window != 0 || (now < 0) == (per_window < 0)) return 0;
  const std::int64_t step = per_window / window;
  const bool is_equality =
      operation.compare == IntegerOperation::Compare::eq || operation.compare == IntegerOperation::Compare::ne;
  if (is_equality && now % step != 0) return 0;
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
  const auto operand_of = [&](const ValueSource& source) {
    if (source.kind == ValueSource::Form::constant) return ValueChange{&kernel.constants[source.index], nullptr};
    if (source.kind != ValueSource::Form::reg) return ValueChange{};
    for (std::size_t i = 0; i < now.size(); ++i)
      if (loop.written[i].index == source.index) return ValueChange{&now[i], &begin_[i]};
    return ValueChange{&registers[slice.slot[source.index]], nullptr};
  };
  const ValueChange a = operand_of(compare.sources[0]);
  const ValueChange b = operand_of(compare.sources[1]);
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
