#include <gdsim/import/ptx/machine_counts.hpp>

#include <gdsim/import/nvidia/machine_opcodes.hpp>
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
  double per_entry = 0;  ///< iterations in a row
  IssueCounts issued{};
  double floats = 0;
  double barriers = 0;
  double global_loaded = 0;  ///< bytes of a work-item, as the others
  double global_stored = 0;
  double shared_stored = 0;
  bool has_unknown_bytes = false;  ///< copies, and tiles of matrices
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
};

/// A part of the machine code that does `iterations` iterations of PTX.
struct MachinePart {
  const MachineCounts* counts = nullptr;
  double iterations = 0;
};

/// One call of use_machine_code().
class MachineCodeReplacement {
 public:
  MachineCodeReplacement(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel)
      : code_(code), counts_(counts), kernel_(kernel) {}

  MachineCodeUse use() {
    const FlowGraph& flow = kernel_.flow;
    if (code_.loops.empty() && replace({}, part_outside(true))) {
      for (std::uint32_t loop = 0; loop < flow.loops.size(); ++loop) result_.stalls[loop] = 0;
      result_.is_complete = true;
      return std::move(result_);
    }
    std::string left;
    for (std::uint32_t loop = 0; loop < flow.loops.size(); ++loop) {
      if (counts_.loops[loop].iterations == 0) continue;
      const auto parent = flow.loops[loop].parent;
      if (parent && result_.stalls.count(*parent) > 0) {
        result_.stalls[loop] = 0;
        continue;
      }
      const PtxPart part = part_of(loop);
      if (!replace(loop, part))
        left += fmt::format("{}{}", left.empty() ? "" : ", ", lines_between(part.first_line, part.last_line));
    }
    replace({}, part_outside(false));
    result_.is_complete = left.empty();
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
    add_blocks(part);
    return part;
  }

  PtxPart part_of(std::uint32_t loop) const {
    PtxPart part;
    part.blocks = kernel_.flow.loops[loop].blocks;
    const LoopCounts& counts = counts_.loops[loop];
    part.iterations = static_cast<double>(counts.iterations);
    part.per_entry = part.iterations / static_cast<double>(std::max<std::uint64_t>(1, counts.entries));
    add_blocks(part);
    return part;
  }

  void add_blocks(PtxPart& part) const {
    for (const std::uint32_t block : part.blocks)
      for (std::uint32_t i = kernel_.flow.blocks[block].begin; i < kernel_.flow.blocks[block].end; ++i)
        add(i, static_cast<double>(counts_.executions[block]), part);
  }

  void add(std::uint32_t number, double executions, PtxPart& part) const {
    const PreparedInstruction& instruction = kernel_.instructions[number];
    const PtxClass& traits = instruction.traits;
    const AccessCounts& access = counts_.accesses[number];
    const std::uint32_t line = kernel_.kernel->instructions[number].line;
    part.first_line = part.first_line == 0 ? line : std::min(part.first_line, line);
    part.last_line = std::max(part.last_line, line);
    for (std::size_t i = 0; i < part.issued.size(); ++i) part.issued[i] += executions * instruction.costs[i];
    part.issued[kLoadStoreIndex] += static_cast<double>(access.requests) * instruction.requests;
    if (traits.role == PtxRole::arithmetic) part.floats += executions * instruction.costs[0];
    if (traits.role == PtxRole::barrier) part.barriers += executions;
    const bool is_global = !access.is_shared && !access.is_local && traits.space != PtxSpace::shared;
    const double bytes = executions * traits.bytes;
    if (traits.role == PtxRole::load && is_global) part.global_loaded += bytes;
    if (traits.role == PtxRole::store) (is_global ? part.global_stored : part.shared_stored) += bytes;
    part.has_unknown_bytes |= executions > 0 && (traits.role == PtxRole::copy || traits.layout != PtxLayout::by_lane);
  }

  /// Returns false if no machine code is certain to be that of the part.
  bool replace(std::optional<std::uint32_t> loop, const PtxPart& part) {
    MachinePart best;
    const auto consider = [&](const MachineCounts& counts) {
      const double iterations = iterations_in(counts, part);
      if (iterations > best.iterations && iterations <= part.per_entry) best = {&counts, iterations};
    };
    if (!loop) consider(code_.outside);
    if (loop)
      for (const MachineLoop& of : code_.loops) consider(of.counts);
    if (best.counts == nullptr) return false;
    scale(part, best);
    const auto instructions = static_cast<double>(best.counts->instructions);
    result_.stalls[loop] = static_cast<double>(best.counts->stalls) / best.iterations;
    result_.notes.push_back(
        fmt::format("{}: counts are those of the machine code, {:.4g} instructions{}, with at least {:.4g} cycles from "
                    "the first to "
                    "the last one",
                    loop ? lines_between(part.first_line, part.last_line) : "outside of loops",
                    instructions / best.iterations, loop ? " for each iteration" : "", result_.stalls[loop]));
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
    std::vector<Pair> pairs{{part.barriers, counts.barriers, exact}, {part.floats, counts.floats, of_floats}};
    if (!part.has_unknown_bytes) {
      pairs.push_back({part.global_loaded, counts.global_loaded, exact});
      pairs.push_back({part.global_stored, counts.global_stored, exact});
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

  /// Kinds that only the machine code has are spread over all instructions.
  void scale(const PtxPart& part, const MachinePart& by) {
    const double all = std::accumulate(part.issued.begin(), part.issued.end(), 0.0);
    IssueCounts wanted{};
    const auto number_on = [&](std::size_t pipe) {
      return static_cast<double>(by.counts->by_pipe[pipe]) / by.iterations * part.iterations;
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = number_on(i);
    wanted[kInt32Index] += number_on(static_cast<std::size_t>(MachinePipe::other));
    for (const std::uint32_t block : part.blocks)
      for (std::uint32_t n = kernel_.flow.blocks[block].begin; n < kernel_.flow.blocks[block].end; ++n) {
        PreparedInstruction& instruction = kernel_.instructions[n];
        const double whole = std::accumulate(instruction.costs.begin(), instruction.costs.end(), 0.0);
        for (std::size_t i = 0; i < wanted.size(); ++i)
          instruction.costs[i] = part.issued[i] > 0 ? instruction.costs[i] * wanted[i] / part.issued[i]
                                 : all > 0          ? whole * wanted[i] / all
                                                    : 0;
        if (part.issued[kLoadStoreIndex] > 0)
          instruction.requests *= wanted[kLoadStoreIndex] / part.issued[kLoadStoreIndex];
      }
  }

  const MachineCode& code_;
  const ExecutionCounts& counts_;
  PreparedKernel& kernel_;
  MachineCodeUse result_;
};

}  // namespace

MachineCodeUse use_machine_code(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel) {
  return MachineCodeReplacement(code, counts, kernel).use();
}

}  // namespace gdsim
