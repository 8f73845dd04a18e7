#include <gdsim/import/ptx/program_steps.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/issue_step.hpp>
#include <gdsim/import/ptx/program_segment.hpp>
#include <gdsim/import/ptx/warp_classes.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/program/written_sectors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gdsim {
namespace {

using Lines = std::vector<std::string>;

/// Warps that execute a region together: a class of warps, and the total number of times that they execute its body.
struct RegionPart {
  std::size_t of = 0;
  std::uint64_t per = 0;
};

/// Writes the steps of one kernel. The steps between barriers are written for each class of warps where classes differ.
class StepWriter {
 public:
  StepWriter(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program)
      : profile_(profile),
        device_(device),
        flow_(profile.kernel->flow),
        kernel_(*profile.kernel->kernel),
        classes_(warp_classes(profile)),
        program_(program) {}

  void write() {
    find_reasons();
    std::vector<RegionPart> parts;
    for (std::size_t i = 0; i < classes_.size(); ++i) parts.push_back({i, classes_[i].warps.size()});
    Lines steps;
    write_region({}, parts, 0, steps);
    if (steps.empty() && program_.reasons.empty())
      program_.reasons.emplace_back("its warps execute nothing that takes time");
    if (!program_.reasons.empty()) return;
    add_spread_comment();
    program_.steps = std::move(steps);
    if (in_flight_ > 0) program_.in_flight = in_flight_;
    for (const auto& [name, value] : parameters_) program_.parameters.emplace_back(name, value);
  }

 private:
  void find_reasons() {
    for (std::uint32_t i = 0; i < kernel_.instructions.size(); ++i) {
      const PtxClass& traits = profile_.kernel->instructions[i].traits;
      if (profile_.log->executions[flow_.block_at[i]] == 0) continue;
      const auto atomic = profile_.atomics.find(i);
      if (traits.role == PtxRole::unsupported)
        add_reason(i, "has no step that stands for it");
      else if (profile_.log->accesses[i].is_gathered)
        add_reason(i, "has addresses that depend on data: what --gather says of them is no measure of time");
      else if (atomic != profile_.atomics.end() && !atomic->second.reason.empty())
        add_reason(i, atomic->second.reason);
    }
  }

  void add_reason(std::uint32_t instruction, const std::string& what) {
    const PtxInstruction& at = kernel_.instructions[instruction];
    constexpr std::size_t most = 8;
    if (program_.reasons.size() < most)
      program_.reasons.push_back(fmt::format("line {} ({}) {}", at.line, printable(at.opcode), what));
  }

  /// Instructions that only some iterations of a loop execute are spread over all iterations.
  void add_spread_comment() {
    if (spread_lines_.empty()) return;
    constexpr std::size_t most = 8;
    std::string lines;
    std::size_t listed = 0;
    for (const std::uint32_t at : spread_lines_)
      if (listed++ < most) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", at);
    program_.comments.push_back(
        fmt::format("ASSUMED: what begins in these lines is done in some iterations of a loop, and spread evenly over "
                    "all of the same warps: {}{}",
                    lines, listed > most ? fmt::format(" and {} more", listed - most) : ""));
  }

  template <class... Args>
  static void line(Lines& out, unsigned depth, fmt::format_string<Args...> format, Args&&... args) {
    out.push_back(std::string(depth * 2, ' ') + fmt::format(format, std::forward<Args>(args)...));
  }

  const ExecutionCounts& counts_of(const RegionPart& part) const { return classes_[part.of].counts; }

  void write_region(std::optional<std::uint32_t> loop, const std::vector<RegionPart>& parts, unsigned depth,
                    Lines& out) {
    std::vector<PtxSegment> segments(parts.size());
    std::vector<Lines> pending(parts.size());
    const auto flush_all = [&] {
      for (std::size_t i = 0; i < parts.size(); ++i) flush(segments[i], parts[i], depth, pending[i]);
    };
    std::set<std::uint32_t> written;
    for (std::uint32_t block = 0; block < flow_.blocks.size(); ++block) {
      if (loop && !flow_.loops[*loop].holds(block)) continue;
      const auto inner = child_of(loop, block);
      if (inner && !written.insert(*inner).second) continue;
      if (inner && has_barrier(*inner)) {
        flush_all();
        emit(parts, pending, depth, out);
        write_loop(*inner, parts, depth, out);
      } else if (inner) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (counts_of(parts[i]).loops[*inner].iterations == 0) continue;
          flush(segments[i], parts[i], depth, pending[i]);
          write_loop(*inner, {parts[i]}, depth, pending[i]);
        }
      } else {
        for (std::size_t i = 0; i < parts.size(); ++i) add_block(block, parts[i], segments[i]);
        const std::uint32_t last = flow_.blocks[block].end - 1;
        if (!is_barrier(last) || !require_equal_arrivals(last, parts)) continue;
        flush_all();
        emit(parts, pending, depth, out);
        line(out, depth, "- barrier  # line {}", kernel_.instructions[last].line);
      }
    }
    flush_all();
    emit(parts, pending, depth, out);
  }

  /// The loop directly inside `loop` that contains the block.
  std::optional<std::uint32_t> child_of(std::optional<std::uint32_t> loop, std::uint32_t block) const {
    auto at = flow_.blocks[block].loop;
    if (at == loop) return std::nullopt;
    while (at && flow_.loops[*at].parent != loop) at = flow_.loops[*at].parent;
    return at;
  }

  /// Returns true if warps wait for each other at the instruction.
  bool is_barrier(std::uint32_t instruction) const {
    return profile_.kernel->instructions[instruction].traits.role == PtxRole::barrier &&
           profile_.log->executions[flow_.block_at[instruction]] > 0;
  }

  bool has_barrier(std::uint32_t loop) const {
    const auto& blocks = flow_.loops[loop].blocks;
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](std::uint32_t block) { return is_barrier(flow_.blocks[block].end - 1); });
  }

  /// Adds a reason unless all warps arrive at the barrier as often as they execute the region's body. Returns true if
  /// they do.
  bool require_equal_arrivals(std::uint32_t instruction, const std::vector<RegionPart>& parts) {
    const std::uint32_t block = flow_.block_at[instruction];
    const auto arrivals = [&](const WarpClass& of) { return of.counts.executions[block] / of.warps.size(); };
    const auto [least, most] =
        std::minmax_element(classes_.begin(), classes_.end(),
                            [&](const WarpClass& a, const WarpClass& b) { return arrivals(a) < arrivals(b); });
    if (arrivals(*least) != arrivals(*most)) {
      add_reason(instruction, fmt::format("is a barrier at which some warps arrive {} times, others {} times",
                                          arrivals(*least), arrivals(*most)));
      return false;
    }
    const bool is_each_time = std::all_of(parts.begin(), parts.end(), [&](const RegionPart& part) {
      return counts_of(part).executions[block] == part.per;
    });
    if (!is_each_time)
      add_reason(instruction,
                 "is a barrier in a loop whose iterations differ in it or in number; those of a scenario are alike");
    return is_each_time;
  }

  void add_block(std::uint32_t block, const RegionPart& part, PtxSegment& segment) {
    const std::uint64_t executions = counts_of(part).executions[block];
    if (executions == 0) return;
    for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i)
      segment.add(*profile_.kernel, counts_of(part), i);
    if (executions % part.per != 0) spread_lines_.insert(kernel_.instructions[flow_.blocks[block].begin].line);
  }

  /// Writes the steps of the parts up to here: once if they are the same for all, otherwise for the warps of each part.
  void emit(const std::vector<RegionPart>& parts, std::vector<Lines>& pending, unsigned depth, Lines& out) {
    std::set<std::size_t> written;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (pending[i].empty() || written.count(i) != 0) continue;
      std::vector<std::uint32_t> warps;
      std::size_t equal = 0;
      for (std::size_t j = i; j < parts.size(); ++j) {
        if (pending[j] != pending[i]) continue;
        written.insert(j);
        ++equal;
        const auto& more = classes_[parts[j].of].warps;
        warps.insert(warps.end(), more.begin(), more.end());
      }
      const bool is_of_all = equal == parts.size();
      if (!is_of_all) {
        line(out, depth, "- only:");
        line(out, depth, "    threads: {}", ranges_of(warps));
        line(out, depth, "    body:");
      }
      for (const std::string& text : pending[i]) line(out, is_of_all ? 0 : 3, "{}", text);
    }
    for (Lines& lines : pending) lines.clear();
  }

  void write_loop(std::uint32_t loop, const std::vector<RegionPart>& parts, unsigned depth, Lines& out) {
    const std::uint32_t head = flow_.blocks[flow_.loops[loop].head].begin;
    std::vector<RegionPart> inside;
    std::set<std::string> texts;
    std::string remark;
    for (const RegionPart& part : parts) {
      const LoopCounts& counts = counts_of(part).loops[loop];
      const std::uint64_t trips = mean_of_some(counts.iterations, part.per);
      texts.insert(count_text(loop, counts, trips, part.per));
      inside.push_back({part.of, part.per * trips});
      if (trips * part.per != counts.iterations)
        remark = fmt::format(": {} iterations of {} warps", counts.iterations, classes_[part.of].warps.size());
    }
    if (texts.size() != 1) {
      add_reason(head, "begins a loop with a barrier, which not all warps repeat equally often");
      return;
    }
    if (depth >= 3 * kMaxLoops) {
      add_reason(head, fmt::format("begins a loop in {} others; those of a scenario are nested {} deep at most",
                                   kMaxLoops, kMaxLoops));
      return;
    }
    line(out, depth, "- loop:  # line {}{}", kernel_.instructions[head].line, remark);
    line(out, depth, "    count: {}", *texts.begin());
    line(out, depth, "    body:");
    const std::size_t before = out.size();
    write_region(loop, inside, depth + 3, out);
    if (out.size() == before) line(out, depth + 3, "- issue: {{int32: 1}}");
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

  void flush(PtxSegment& segment, const RegionPart& part, unsigned depth, Lines& out) {
    if (segment.is_empty()) return;
    const std::string lines = segment.first_line == segment.last_line
                                  ? fmt::format("line {}", segment.first_line)
                                  : fmt::format("lines {}-{}", segment.first_line, segment.last_line);
    if (const std::uint64_t bytes = mean_of_some(segment.loaded, part.per)) {
      in_flight_ = std::max(in_flight_, bytes);
      line(out, depth, "- memory: {} B  # {}: what L1 does not hold", bytes, lines);
    }
    for (const std::string& one : issue_step(segment, {part.per, lines}, profile_, device_))
      line(out, depth, "{}", one);
    for (const std::uint32_t instruction : segment.atomics) write_atomic(instruction, part, depth, out);
    if (const std::uint64_t bytes = mean_of_some(segment.stored, part.per)) {
      line(out, depth, "- memory: {{bytes: {} B, asynchronous: true{}}}  # {}: stores", bytes,
           written_text(segment, part.per), lines);
      if (depth > 0)
        line(out, depth, "- wait_memory: {{outstanding: 32}}  # ASSUMED: so many stores of a warp at once");
    }
    segment = {};
  }

  /// The whole sectors, on a device on which they matter.
  std::string written_text(const PtxSegment& segment, std::uint64_t per) const {
    if (!counts_written_sectors(device_)) return {};
    const std::uint64_t all = mean_of_some(segment.stored / kSectorBytes, per);
    const std::uint64_t whole = std::min(all, mean(segment.whole_sectors, per));
    if (whole == all) return fmt::format(", written: {{whole: {}}}", whole);
    if (whole == 0) return fmt::format(", written: {{partial: {}}}", all);
    return fmt::format(", written: {{whole: {}, partial: {}}}", whole, all - whole);
  }

  void write_atomic(std::uint32_t instruction, const RegionPart& part, unsigned depth, Lines& out) {
    const auto found = profile_.atomics.find(instruction);
    if (found == profile_.atomics.end() || !found->second.reason.empty()) return;  // the reason is reported instead
    const AccessCounts& counts = counts_of(part).accesses[instruction];
    if (counts.requests % part.per != 0) {
      add_reason(instruction, "is executed in some iterations of a loop only, as no step `atomic` is");
      return;
    }
    line(out, depth, "- atomic: {{accesses: {}, addresses: {}, space: {}}}  # line {}: {}", counts.requests / part.per,
         found->second.count, counts.is_shared ? "slm" : "global", kernel_.instructions[instruction].line,
         found->second.origin);
  }

  const KernelProfile& profile_;
  const DeviceSpec& device_;
  const FlowGraph& flow_;
  const PtxKernel& kernel_;
  std::vector<WarpClass> classes_;
  ImportedProgram& program_;
  std::set<std::uint32_t> spread_lines_;
  std::vector<std::pair<std::string, std::uint64_t>> parameters_;
  std::uint64_t in_flight_ = 0;
};

}  // namespace

void add_steps(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  StepWriter(profile, device, program).write();
}

}  // namespace gdsim
