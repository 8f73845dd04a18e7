#include <gdsim/import/ptx/machine_counts.hpp>

#include <gdsim/import/warp_steps.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace gdsim {
namespace {

/// What warps do in some blocks of PTX, in all of their iterations together.
struct PtxPart {
  std::vector<std::uint32_t> blocks;
  double iterations = 0;
  double per_entry = 0;  ///< iterations in a row
  IssueCounts issued{};
  double costs = 0;  ///< of `issued`: what is no access
  double floats = 0;
  double barriers = 0;
  double atomics = 0;
  double global_loaded = 0;  ///< bytes of a work-item, as the others
  double global_stored = 0;
  double shared_loaded = 0;
  double shared_stored = 0;
  bool has_unknown_bytes = false;  ///< copies, and tiles of matrices
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
};

/// Numbers of loops of the machine code that may be a loop of PTX, and the iterations of it that each does at once.
using LoopCandidates = std::map<std::size_t, double>;

/// One call of use_machine_code().
class MachineCodeReplacement {
 public:
  MachineCodeReplacement(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel)
      : code_(code), counts_(counts), kernel_(kernel) {}

  MachineCodeUse use() {
    const FlowGraph& flow = kernel_.flow;
    const auto& by_pipe = code_.counts.by_pipe;
    result_.counts_pairs =
        std::accumulate(by_pipe.begin(), by_pipe.end(), std::uint64_t{0}) > code_.counts.instructions;
    if (code_.loops.empty() && replace_outside(true)) {
      for (std::uint32_t loop = 0; loop < flow.loops.size(); ++loop) result_.stalls[loop] = 0;
      result_.is_complete = true;
      return std::move(result_);
    }
    choose_loops();
    std::string left;
    for (std::uint32_t loop = 0; loop < flow.loops.size(); ++loop) {
      if (counts_.loops[loop].iterations == 0) continue;
      const auto parent = flow.loops[loop].parent;
      if (parent && result_.stalls.count(*parent) > 0) {
        result_.stalls[loop] = 0;
        continue;
      }
      const PtxPart part = part_of(loop);
      const auto chosen = chosen_.find(loop);
      if (chosen == chosen_.end() || !replace(loop, part, code_.loops[chosen->second].counts))
        left += fmt::format("{}{}", left.empty() ? "" : ", ", lines_between(part.first_line, part.last_line));
    }
    const bool has_outside = replace_outside(false);
    if (!has_outside)
      result_.notes.push_back(
          "counts are those of PTX outside of loops, for what the machine code does there is not certain to be the "
          "same");
    result_.is_complete = left.empty() && has_outside;
    if (!left.empty())
      result_.notes.push_back(
          "counts are those of PTX in these lines, for no loop of the machine code is certain to do the same: " + left);
    return std::move(result_);
  }

 private:
  /// Of the blocks that are in no loop, or of all.
  PtxPart part_outside(bool with_loops) const {
    PtxPart part;
    for (std::uint32_t block = 0; block < kernel_.flow.blocks.size(); ++block)
      if (with_loops || !kernel_.flow.blocks[block].loop) part.blocks.push_back(block);
    part.iterations = static_cast<double>(counts_.executions.empty() ? 0 : counts_.executions.front());
    part.per_entry = 1;
    for (const std::uint32_t block : part.blocks) add_block(block, counts_.executions[block], part);
    return part;
  }

  /// Of a loop that this launch does not execute: as if once, each block of it.
  PtxPart part_of(std::uint32_t loop) const {
    PtxPart part;
    part.blocks = kernel_.flow.loops[loop].blocks;
    const LoopCounts& counts = counts_.loops[loop];
    const bool is_executed = counts.iterations > 0;
    part.iterations = is_executed ? static_cast<double>(counts.iterations) : 1;
    part.per_entry = is_executed ? part.iterations / static_cast<double>(std::max<std::uint64_t>(1, counts.entries))
                                 : std::numeric_limits<double>::max();
    for (const std::uint32_t block : part.blocks) add_block(block, is_executed ? counts_.executions[block] : 1, part);
    return part;
  }

  void add_block(std::uint32_t block, std::uint64_t executions, PtxPart& part) const {
    for (std::uint32_t i = kernel_.flow.blocks[block].begin; i < kernel_.flow.blocks[block].end; ++i)
      add(i, static_cast<double>(executions), part);
  }

  void add(std::uint32_t number, double executions, PtxPart& part) const {
    const PreparedInstruction& instruction = kernel_.instructions[number];
    const PtxClass& traits = instruction.traits;
    const AccessCounts& access = counts_.accesses[number];
    const std::uint32_t line = kernel_.kernel->instructions[number].line;
    part.first_line = part.first_line == 0 ? line : std::min(part.first_line, line);
    part.last_line = std::max(part.last_line, line);
    for (std::size_t i = 0; i < part.issued.size(); ++i) {
      part.issued[i] += executions * instruction.costs[i];
      part.costs += executions * instruction.costs[i];
    }
    part.issued[kLoadStoreIndex] += static_cast<double>(access.requests) * instruction.requests;
    if (traits.role == PtxRole::arithmetic) part.floats += executions * instruction.costs[0];
    if (traits.role == PtxRole::barrier) part.barriers += executions;
    if (traits.role == PtxRole::atomic) part.atomics += executions;
    const bool is_local = access.is_local || traits.space == PtxSpace::local;
    const bool is_shared = access.is_shared || traits.space == PtxSpace::shared;
    const double bytes = is_local ? 0 : executions * traits.bytes;
    if (traits.role == PtxRole::load) (is_shared ? part.shared_loaded : part.global_loaded) += bytes;
    if (traits.role == PtxRole::store) (is_shared ? part.shared_stored : part.global_stored) += bytes;
    part.has_unknown_bytes |= executions > 0 && (traits.role == PtxRole::copy || traits.layout != PtxLayout::by_lane);
  }

  /// Finds the loops of PTX that are certain to be one of the machine code each; see use_machine_code().
  void choose_loops() {
    std::map<LoopCandidates, std::vector<std::uint32_t>> groups;  // loops of PTX with the same candidates
    std::vector<std::size_t> takers(code_.loops.size());
    std::set<std::uint32_t> outer;  // loops with candidates, and all in them
    for (std::uint32_t loop = 0; loop < kernel_.flow.loops.size(); ++loop) {
      const auto parent = kernel_.flow.loops[loop].parent;
      const LoopCandidates candidates =
          parent && outer.count(*parent) > 0 ? LoopCandidates{} : candidates_of(part_of(loop));
      if (!candidates.empty() || (parent && outer.count(*parent) > 0)) outer.insert(loop);
      for (const auto& [number, iterations] : candidates) ++takers[number];
      if (!candidates.empty()) groups[candidates].push_back(loop);
    }
    for (auto& [candidates, loops] : groups) {
      const bool has_rivals = std::any_of(candidates.begin(), candidates.end(),
                                          [&, size = loops.size()](const auto& of) { return takers[of.first] > size; });
      if (!has_rivals) choose(candidates, loops);
    }
    drop_disordered();
  }

  LoopCandidates candidates_of(const PtxPart& part) const {
    LoopCandidates candidates;
    for (std::size_t i = 0; i < code_.loops.size(); ++i) {
      const double iterations = iterations_in(code_.loops[i].counts, part);
      if (iterations > 0 && iterations <= part.per_entry) candidates[i] = iterations;
    }
    return candidates;
  }

  /// Of the loops of PTX that alone have these candidates.
  void choose(const LoopCandidates& candidates, std::vector<std::uint32_t>& loops) {
    const auto is_less = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [least, most] = std::minmax_element(candidates.begin(), candidates.end(), is_less);
    if (loops.size() == 1) {
      const auto are_most = [&](const auto& of) { return of.second == most->second; };
      if (std::count_if(candidates.begin(), candidates.end(), are_most) == 1) chosen_[loops.front()] = most->first;
      return;
    }
    if (loops.size() != candidates.size() || least->second != most->second) return;
    std::sort(loops.begin(), loops.end(), [&](std::uint32_t a, std::uint32_t b) { return head_of(a) < head_of(b); });
    auto next = candidates.begin();
    for (const std::uint32_t loop : loops) chosen_[loop] = (next++)->first;
  }

  std::uint32_t head_of(std::uint32_t loop) const { return kernel_.flow.loops[loop].head; }

  void drop_disordered() {
    std::set<std::uint32_t> disordered;
    for (const auto& [a, of_a] : chosen_)
      for (const auto& [b, of_b] : chosen_)
        if (head_of(a) < head_of(b) && of_a > of_b) disordered.insert({a, b});
    for (const std::uint32_t loop : disordered) chosen_.erase(loop);
  }

  bool replace_outside(bool with_loops) {
    const PtxPart part = part_outside(with_loops);
    return iterations_in(code_.outside, part) == 1 && replace({}, part, code_.outside);
  }

  /// Returns false if the part has nothing that could have the counts.
  bool replace(std::optional<std::uint32_t> loop, const PtxPart& part, const MachineCounts& counts) {
    const double iterations = iterations_in(counts, part);
    if (!scale(part, counts, iterations)) return false;
    result_.stalls[loop] = static_cast<double>(counts.stalls) / iterations;
    result_.notes.push_back(
        fmt::format("{}: counts are those of the machine code, {:.4g} instructions{}, with at least {:.4g} cycles from "
                    "the first to the last one",
                    loop ? lines_between(part.first_line, part.last_line) : "outside of loops",
                    static_cast<double>(counts.instructions) / iterations, loop ? " for each iteration" : "",
                    result_.stalls[loop]));
    return true;
  }

  /// The iterations of PTX that this machine code does at once; 0: it is not certain to do whole ones.
  static double iterations_in(const MachineCounts& counts, const PtxPart& part) {
    constexpr double exact = 1e-6;
    constexpr double of_floats = 0.02;
    struct Pair {
      double ptx;
      std::uint64_t code;
      double tolerance;
    };
    std::vector<Pair> pairs{{part.barriers, counts.barriers, exact},
                            {part.atomics, counts.atomics, exact},
                            {part.floats, counts.floats, of_floats}};
    if (!part.has_unknown_bytes) {
      pairs.push_back({part.global_loaded, counts.global_loaded, exact});
      pairs.push_back({part.global_stored, counts.global_stored, exact});
      pairs.push_back({part.shared_loaded, counts.shared_loaded, exact});
      pairs.push_back({part.shared_stored, counts.shared_stored, exact});
    }
    double iterations = 0;
    for (const Pair& pair : pairs) {
      const double each = pair.ptx / part.iterations;
      if (iterations == 0 && each > 0) iterations = std::round(static_cast<double>(pair.code) / each);
    }
    const bool are_same = std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      const double each = pair.ptx / part.iterations;
      const auto is_near = [&](double value, double wanted) {
        return std::abs(value - wanted) <= pair.tolerance * std::max(1.0, wanted);
      };
      return is_near(std::round(each), each) && is_near(static_cast<double>(pair.code), iterations * each);
    });
    return are_same && counts.calls == 0 ? iterations : 0;
  }

  /// Kinds that only the machine code has are spread over what is no access. Returns false if there is none.
  bool scale(const PtxPart& part, const MachineCounts& counts, double iterations) {
    IssueCounts wanted{};
    const auto number_on = [&](std::size_t pipe) {
      return static_cast<double>(counts.by_pipe[pipe]) / iterations * part.iterations;
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = number_on(i);
    wanted[kInt32Index] += number_on(static_cast<std::size_t>(MachinePipe::other));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] > 0 && part.issued[i] == 0 && part.costs == 0) return false;
    result_.joins_accesses |= wanted[kLoadStoreIndex] < part.issued[kLoadStoreIndex];
    for (const std::uint32_t block : part.blocks)
      for (std::uint32_t n = kernel_.flow.blocks[block].begin; n < kernel_.flow.blocks[block].end; ++n) {
        PreparedInstruction& instruction = kernel_.instructions[n];
        const double whole = std::accumulate(instruction.costs.begin(), instruction.costs.end(), 0.0);
        for (std::size_t i = 0; i < wanted.size(); ++i)
          instruction.costs[i] = part.issued[i] > 0 ? instruction.costs[i] * wanted[i] / part.issued[i]
                                 : part.costs > 0   ? whole * wanted[i] / part.costs
                                                    : 0;
        if (part.issued[kLoadStoreIndex] > 0)
          instruction.requests *= wanted[kLoadStoreIndex] / part.issued[kLoadStoreIndex];
      }
    return true;
  }

  const MachineCode& code_;
  const ExecutionCounts& counts_;
  PreparedKernel& kernel_;
  std::map<std::uint32_t, std::size_t> chosen_;  ///< by loop of PTX: that of the machine code
  MachineCodeUse result_;
};

}  // namespace

MachineCodeUse use_machine_code(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel) {
  return MachineCodeReplacement(code, counts, kernel).use();
}

}  // namespace gdsim
