#include <gdsim/import/ptx/program_steps.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/import/ptx/segment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gdsim {
namespace {

/// `total / per`, halves up.
std::uint64_t mean(std::uint64_t total, std::uint64_t per) { return per == 0 ? 0 : (total + per / 2) / per; }

/// At least 1 where there is anything at all.
std::uint64_t mean_of_some(std::uint64_t total, std::uint64_t per) {
  return total == 0 ? 0 : std::max<std::uint64_t>(1, mean(total, per));
}

/// Writes the steps of one kernel.
class StepWriter {
 public:
  StepWriter(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program)
      : profile_(profile),
        device_(device),
        flow_(profile.kernel->flow),
        kernel_(*profile.kernel->kernel),
        program_(program) {}

  void write() {
    find_reasons();
    write_region({}, profile_.warps, 0);
    if (!program_.reasons.empty()) program_.steps.clear();
    if (program_.reasons.empty() && in_flight_ > 0) program_.in_flight = in_flight_;
    if (program_.reasons.empty())
      for (const auto& [name, value] : parameters_) program_.parameters.emplace_back(name, value);
  }

 private:
  void find_reasons() {
    for (std::uint32_t i = 0; i < kernel_.instructions.size(); ++i) {
      const PtxClass& traits = profile_.kernel->instructions[i].traits;
      if (profile_.log->executions[flow_.block_at[i]] == 0) continue;
      if (traits.role == PtxRole::unsupported)
        add_reason(i, "has no step that stands for it");
      else if (profile_.log->accesses[i].is_gathered)
        add_reason(i, "has addresses that depend on data: what --gather says of them is no measure of time");
    }
  }

  void add_reason(std::uint32_t instruction, const std::string& what) {
    const PtxInstruction& at = kernel_.instructions[instruction];
    constexpr std::size_t most = 8;
    if (program_.reasons.size() < most)
      program_.reasons.push_back(fmt::format("line {} ({}) {}", at.line, printable(at.opcode), what));
  }

  template <class... Args>
  void line(unsigned depth, fmt::format_string<Args...> format, Args&&... args) {
    program_.steps.push_back(std::string(depth * 2, ' ') + fmt::format(format, std::forward<Args>(args)...));
  }

  /// `per`: how often the region's body is executed, over all warps.
  void write_region(std::optional<std::uint32_t> loop, std::uint64_t per, unsigned depth) {
    PtxSegment segment;
    std::set<std::uint32_t> written;
    for (std::uint32_t block = 0; block < flow_.blocks.size(); ++block) {
      if (loop && !flow_.loops[*loop].holds(block)) continue;
      if (const auto inner = child_of(loop, block)) {
        if (!written.insert(*inner).second || profile_.log->loops[*inner].iterations == 0) continue;
        flush(segment, per, depth);
        write_loop(*inner, per, depth);
        continue;
      }
      add_block(block, per, depth, segment);
    }
    flush(segment, per, depth);
  }

  /// The loop directly inside of `loop` that holds the block.
  std::optional<std::uint32_t> child_of(std::optional<std::uint32_t> loop, std::uint32_t block) const {
    auto at = flow_.blocks[block].loop;
    if (at == loop) return std::nullopt;
    while (at && flow_.loops[*at].parent != loop) at = flow_.loops[*at].parent;
    return at;
  }

  void add_block(std::uint32_t block, std::uint64_t per, unsigned depth, PtxSegment& segment) {
    const std::uint64_t executions = profile_.log->executions[block];
    for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
      segment.add(profile_, i, executions);
      if (profile_.kernel->instructions[i].traits.role != PtxRole::barrier || executions == 0) continue;
      if (executions != per) {
        add_reason(i, "is a barrier at which not all warps arrive equally often");
        continue;
      }
      flush(segment, per, depth);
      line(depth, "- barrier  # line {}", kernel_.instructions[i].line);
    }
  }

  void write_loop(std::uint32_t loop, std::uint64_t per, unsigned depth) {
    const LoopCounts& counts = profile_.log->loops[loop];
    const std::uint64_t trips = mean_of_some(counts.iterations, per);
    const bool is_exact = trips * per == counts.iterations;
    const std::uint32_t head = flow_.blocks[flow_.loops[loop].head].begin;
    line(depth, "- loop:  # line {}{}", kernel_.instructions[head].line,
         is_exact ? std::string() : fmt::format(": {} iterations of {} warps", counts.iterations, profile_.warps));
    line(depth, "    count: {}", count_text(loop, counts, trips, per));
    line(depth, "    body:");
    const std::size_t before = program_.steps.size();
    write_region(loop, per * trips, depth + 3);
    if (program_.steps.size() == before) line(depth + 3, "- issue: {{int32: 1}}");
  }

  std::string count_text(std::uint32_t loop, const LoopCounts& counts, std::uint64_t trips, std::uint64_t per) {
    const auto fixed = profile_.trips.fixed.find(loop);
    if (fixed != profile_.trips.fixed.end()) return fmt::format("{}  # {}", trips, fixed->second);
    const auto found = profile_.trips.expressions.find(loop);
    if (found == profile_.trips.expressions.end()) return std::to_string(trips);
    if (counts.entries != per) return fmt::format("{}  # changes with arg{}", trips, found->second.argument);
    const TripExpression& of = found->second;
    const std::string name = fmt::format("arg{}", of.argument);
    add_parameter(name, of);
    std::string text = of.numerator == 1 ? name : fmt::format("{} * {}", of.numerator, name);
    if (of.addend > 0) text += fmt::format(" + {}", of.addend);
    if (of.addend < 0) text += fmt::format(" - {}", -of.addend);
    if (of.denominator > 1)
      text = fmt::format("floor({} / {})", of.addend == 0 ? text : "(" + text + ")", of.denominator);
    return fmt::format("= max(0, {})  # {}", text, trips);
  }

  void add_parameter(const std::string& name, const TripExpression& of) {
    const auto same = [&](const auto& parameter) { return parameter.first == name; };
    if (std::any_of(parameters_.begin(), parameters_.end(), same)) return;
    const std::uint64_t trips_at = argument_value(of);
    parameters_.emplace_back(name, trips_at);
  }

  std::uint64_t argument_value(const TripExpression& of) const {
    const auto found = profile_.arguments.find({of.argument, 0});
    return found == profile_.arguments.end() ? 0 : found->second;
  }

  void flush(PtxSegment& segment, std::uint64_t per, unsigned depth) {
    if (segment.is_empty()) return;
    const std::string lines = segment.first_line == segment.last_line
                                  ? fmt::format("line {}", segment.first_line)
                                  : fmt::format("lines {}-{}", segment.first_line, segment.last_line);
    if (const std::uint64_t bytes = mean_of_some(segment.loaded, per)) {
      in_flight_ = std::max(in_flight_, bytes);
      line(depth, "- memory: {} B  # {}: what L1 does not hold", bytes, lines);
    }
    write_issue(segment, per, depth, lines);
    write_atomics(segment, per, depth, lines);
    if (const std::uint64_t bytes = mean_of_some(segment.stored, per))
      line(depth, "- memory: {{bytes: {} B, asynchronous: true}}  # {}: stores", bytes, lines);
    segment = {};
  }

  /// One step, so that what is issued and what L1 and shared memory serve overlap, as in a warp that does both in turn.
  void write_issue(const PtxSegment& segment, std::uint64_t per, unsigned depth, const std::string& lines) {
    std::string kinds;
    for (std::size_t i = 0; i < kIssueKinds.size(); ++i) {
      std::uint64_t issued = segment.issued[i];
      if (kIssueKinds[i] == kLoadStoreKind) issued = std::max(issued, pipe_load(segment.l1_cycles, device_));
      if (const std::uint64_t count = mean(issued, per))
        kinds += fmt::format("{}{}: {}", kinds.empty() ? "" : ", ", kIssueKinds[i], count);
    }
    if (kinds.empty()) return;
    const std::uint64_t cycles = mean_of_some(segment.l1_cycles, per);
    line(depth, "- issue: {{{}}}  # {}{}", kinds, lines,
         cycles == 0 ? std::string()
                     : fmt::format(": {} accesses, {} cycles of L1 and shared memory",
                                   mean(segment.issued[kLoadStoreIndex], per), cycles));
  }

  void write_atomics(const PtxSegment& segment, std::uint64_t per, unsigned depth, const std::string& lines) {
    const std::uint64_t addresses = mean_of_some(segment.atomic_addresses, segment.atomic_requests);
    constexpr std::uint64_t lanes = 32;
    for (const bool is_shared : {true, false}) {
      const std::uint64_t accesses =
          mean_of_some(is_shared ? segment.shared_atomics : segment.global_atomics, per * lanes);
      if (accesses > 0)
        line(depth, "- atomic: {{accesses: {}, addresses: {}, space: {}}}  # {}: addresses of one request", accesses,
             addresses, is_shared ? "slm" : "global", lines);
    }
  }

  const KernelProfile& profile_;
  const DeviceSpec& device_;
  const FlowGraph& flow_;
  const PtxKernel& kernel_;
  ImportedProgram& program_;
  std::vector<std::pair<std::string, std::uint64_t>> parameters_;
  std::uint64_t in_flight_ = 0;
};

}  // namespace

void add_steps(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  StepWriter(profile, device, program).write();
}

}  // namespace gdsim
