#include <gdsim/import/nvidia/cubin.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/warp_steps.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace gdsim {
namespace {

/// What warps do in some blocks of PTX, in all of their iterations together.
struct PtxPart {
  std::vector<std::uint32_t> blocks;
  double iterations = 0;
  double trips = 0;  ///< iterations in a row; 0: any number of them
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
      : code_(code),
        counts_(counts),
        kernel_(kernel),
        candidates_(kernel.flow.loops.size()),
        has_other_trips_(kernel.flow.loops.size()),
        takers_(code.loops.size()) {}

  MachineCodeUse use() {
    const FlowGraph& flow = kernel_.flow;
    if (code_.loops.empty() && replace_outside(true)) {
      for (std::uint32_t loop = 0; loop < flow.loops.size(); ++loop) result_.stalls[loop] = 0;
      result_.is_complete = true;
      return std::move(result_);
    }
    find_candidates();
    std::string unlike;
    std::string open;
    bool are_loops = true;  // none has become a part of what is outside of loops
    for (std::uint32_t loop = 0; loop < flow.loops.size(); ++loop) {
      const auto parent = flow.loops[loop].parent;
      if (parent && result_.stalls.count(*parent) > 0) {
        result_.stalls[loop] = 0;
        continue;
      }
      are_loops &= !candidates_[loop].empty();
      if (counts_.loops[loop].iterations == 0) continue;
      const PtxPart part = part_of(loop);
      const auto chosen = chosen_of(loop);
      if (chosen && replace(loop, part, code_.loops[*chosen].counts)) continue;
      std::string& lines = candidates_[loop].empty() ? unlike : open;
      lines += (lines.empty() ? "" : ", ") + lines_between(part.first_line, part.last_line);
    }
    const auto keep = [&](const std::string& where, std::string_view why) {
      if (!where.empty()) result_.notes.push_back(fmt::format("counts are those of PTX {}, for {}", where, why));
    };
    const bool has_outside = are_loops && replace_outside(false);
    keep(has_outside ? "" : "outside of loops", "the machine code there does something else, or branches skip some");
    keep(unlike.empty() ? "" : "in " + unlike, "no loop of the machine code is certain to do the same");
    keep(open.empty() ? "" : "in " + open, "several loops of the machine code, or of PTX, are alike");
    result_.is_complete = has_outside && unlike.empty() && open.empty();
    return std::move(result_);
  }

 private:
  /// Of the blocks that are in no loop, or of all.
  PtxPart part_outside(bool with_loops) const {
    PtxPart part;
    part.iterations = static_cast<double>(executions_of({}));
    part.trips = 1;
    for (std::uint32_t block = 0; block < kernel_.flow.blocks.size(); ++block)
      if (with_loops || !kernel_.flow.blocks[block].loop) {
        part.blocks.push_back(block);
        add_block(block, counts_.executions[block], part);
      }
    return part;
  }

  /// Of each block of the loop, or in none, unless branches skip it.
  std::uint64_t executions_of(std::optional<std::uint32_t> loop) const {
    if (loop) return counts_.loops[*loop].iterations;
    return counts_.executions.empty() ? 0 : counts_.executions.front();
  }

  /// Of a loop that this launch does not execute: as if once, each block of it.
  PtxPart part_of(std::uint32_t loop) const {
    PtxPart part;
    part.blocks = kernel_.flow.loops[loop].blocks;
    const LoopCounts& counts = counts_.loops[loop];
    const bool is_executed = counts.iterations > 0;
    part.iterations = is_executed ? static_cast<double>(counts.iterations) : 1;
    if (is_executed) part.trips = part.iterations / static_cast<double>(counts.entries);
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

  void find_candidates() {
    for (std::uint32_t loop = 0; loop < kernel_.flow.loops.size(); ++loop) {
      const PtxPart part = part_of(loop);
      for (std::size_t i = 0; i < code_.loops.size(); ++i) {
        if (code_.loops[i].depth != depth_of(loop)) continue;
        const double iterations = iterations_in(code_.loops[i].counts, part);
        if (iterations == 0 || (iterations > 1 && is_not_unrolled(loop))) continue;
        if (std::fmod(part.trips, iterations) != 0) {
          has_other_trips_[loop] = true;
          continue;
        }
        candidates_[loop][i] = iterations;
        ++takers_[i];
      }
    }
  }

  bool is_not_unrolled(std::uint32_t loop) const {
    const FlowGraph& flow = kernel_.flow;
    return kernel_.kernel->not_unrolled.contains(flow.blocks[flow.loops[loop].head].begin);
  }

  std::uint32_t depth_of(std::uint32_t loop) const {
    std::uint32_t depth = 0;
    for (auto parent = kernel_.flow.loops[loop].parent; parent; parent = kernel_.flow.loops[*parent].parent) ++depth;
    return depth;
  }

  /// The loop of the machine code that this loop of PTX is certain to be.
  std::optional<std::size_t> chosen_of(std::uint32_t loop) const {
    std::optional<std::size_t> chosen;
    double most = 0;
    for (const auto& [number, iterations] : candidates_[loop]) {
      if (iterations == most) chosen.reset();
      if (iterations > most) chosen = number;
      most = std::max(most, iterations);
    }
    return chosen && takers_[*chosen] == 1 && !has_other_trips_[loop] ? chosen : std::nullopt;
  }

  bool replace_outside(bool with_loops) {
    const PtxPart part = part_outside(with_loops);
    const bool executes_all = std::all_of(part.blocks.begin(), part.blocks.end(), [&](std::uint32_t block) {
      const std::uint64_t executions = counts_.executions[block];
      return executions > 0 && executions == executions_of(kernel_.flow.blocks[block].loop);
    });
    return executes_all && iterations_in(code_.outside, part) == 1 && replace({}, part, code_.outside);
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
    return are_same && counts.doubts == 0 ? iterations : 0;
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
  std::vector<LoopCandidates> candidates_;  ///< by loop of PTX
  std::vector<bool> has_other_trips_;       ///< by loop of PTX: some of its trips may be in an unrolled loop, some not
  std::vector<std::size_t> takers_;         ///< by loop of the machine code: loops of PTX whose candidate it is
  MachineCodeUse result_;
};

}  // namespace

MachineCodeUse use_machine_code(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel) {
  return MachineCodeReplacement(code, counts, kernel).use();
}

}  // namespace gdsim
