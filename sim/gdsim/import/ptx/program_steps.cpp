#include <gdsim/import/ptx/import_program.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/program_segment.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// Writes the steps of one kernel. The steps between barriers are written for each class of warps where classes differ.
class StepWriter {
 public:
  StepWriter(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program)
      : profile_(profile),
        device_(device),
        flow_(profile.kernel->flow),
        kernel_(*profile.kernel->kernel),
        classes_(warp_classes(profile)),
        barriers_(profile, classes_),
        trip_texts_(profile),
        carried_(classes_.size()),
        program_(program) {}

  void write() {
    find_reasons();
    std::vector<RegionPart> parts;
    for (std::size_t i = 0; i < classes_.size(); ++i)
      parts.push_back({i, classes_[i].warps.size(), &classes_[i].counts});
    YamlValue steps;
    if (barriers_.are_even()) {
      write_region({}, parts, 0, steps);
      for (const RegionPart& part : parts) write_copies(carried_[part.of], part, steps);
    } else {
      for (const RegionPart& part : parts) write_apart(part, steps);
    }
    if (steps.is_empty() && program_.reasons.empty())
      program_.reasons.emplace_back("its warps execute nothing that takes time");
    if (!program_.reasons.empty()) return;
    add_spread_comment();
    program_.steps = std::move(steps);
    if (in_flight_ > 0) program_.in_flight = in_flight_;
    program_.dependence = dependence_of(profile_, device_);
    for (const auto& [name, value] : trip_texts_.parameters()) program_.parameters.emplace_back(name, value);
  }

 private:
  void find_reasons() {
    if (!profile_.samples.reason.empty()) program_.reasons.push_back(profile_.samples.reason);
    for (std::uint32_t i = 0; i < kernel_.instructions.size(); ++i) {
      const PreparedInstruction& instruction = profile_.kernel->instructions[i];
      const PtxRole role = instruction.traits.role;
      if (profile_.log->executions[flow_.block_at[i]] == 0) continue;
      const auto atomic = profile_.atomics.find(i);
      const bool is_arrival = role == PtxRole::barrier || role == PtxRole::arrive;
      if (role == PtxRole::unsupported)
        add_reason(i, "has no step that stands for it");
      else if (role == PtxRole::matrix && instruction.matrix.kind.empty())
        add_reason(i, "has a shape or types of which no multiply-adds are known");
      else if (is_arrival && !barriers_.reason_of(i).empty())
        add_reason(i, barriers_.reason_of(i));
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

  static std::string at_line(std::size_t line) { return fmt::format("line {}", line); }
  /// The whole program of a class of warps that arrive at other barriers than the rest.
  void write_apart(const RegionPart& part, YamlValue& out) {
    YamlValue body;
    write_region({}, {part}, 0, body);
    write_copies(carried_[part.of], part, body);
    add_only(classes_[part.of].warps, std::move(body), out);
  }

  void write_region(std::optional<std::uint32_t> loop, const std::vector<RegionPart>& parts, unsigned loops,
                    YamlValue& out) {
    std::vector<OpenSegment> segments(parts.size(), OpenSegment(*profile_.kernel));
    std::vector<YamlValue> pending(parts.size());
    const auto flush_all = [&] {
      for (std::size_t i = 0; i < parts.size(); ++i) flush(segments[i], parts[i], loops, pending[i]);
    };
    std::set<std::uint32_t> written;
    for (std::uint32_t block = 0; block < flow_.blocks.size(); ++block) {
      if (loop && !flow_.loops[*loop].holds(block)) continue;
      const auto inner = child_of(loop, block);
      if (inner && !written.insert(*inner).second) continue;
      if (inner && barriers_.are_in(*inner)) {
        flush_all();
        add_parts(classes_, parts, pending, out);
        write_loop(*inner, parts, loops, out);
      } else if (inner) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (parts[i].counts->loops[*inner].iterations == 0) continue;
          flush(segments[i], parts[i], loops, pending[i]);
          write_loop(*inner, {parts[i]}, loops, pending[i]);
          segments[i].copied += std::exchange(carried_[parts[i].of], 0);
        }
      } else {
        for (std::size_t i = 0; i < parts.size(); ++i) add_block(block, parts[i], loops, segments[i], pending[i]);
        const std::uint32_t last = flow_.blocks[block].end - 1;
        if (!barriers_.is_barrier(last) || !is_arrived_at(last, parts)) continue;
        flush_all();
        add_parts(classes_, parts, pending, out);
        out.item(barriers_.step_of(last), at_line(kernel_.instructions[last].line));
      }
    }
    flush_all();
    add_parts(classes_, parts, pending, out);
    for (std::size_t i = 0; i < parts.size(); ++i) carried_[parts[i].of] += segments[i].copied;
  }

  /// The loop directly inside `loop` that contains the block.
  std::optional<std::uint32_t> child_of(std::optional<std::uint32_t> loop, std::uint32_t block) const {
    auto at = flow_.blocks[block].loop;
    std::optional<std::uint32_t> child;
    for (; at && at != loop; at = flow_.loops[*at].parent)
      if (merged_.count(*at) == 0) child = at;
    return child;
  }

  /// Returns true if these warps arrive at the barrier each time that they execute the region's body; adds a reason if
  /// only some times.
  bool is_arrived_at(std::uint32_t instruction, const std::vector<RegionPart>& parts) {
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const RegionPart& part) { return barriers_.arrivals(instruction, part) == 0; }))
      return false;
    const bool is_each_time = std::all_of(parts.begin(), parts.end(), [&](const RegionPart& part) {
      return barriers_.arrivals(instruction, part) == part.per;
    });
    if (!is_each_time)
      add_reason(instruction,
                 "is a barrier in a loop, at which not all warps arrive in the same number of its iterations");
    return is_each_time;
  }

  void add_block(std::uint32_t block, const RegionPart& part, unsigned loops, OpenSegment& segment, YamlValue& out) {
    const std::uint64_t executions = part.counts->executions[block];
    if (executions == 0) return;
    for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
      segment.add(*part.counts, i, executions >= part.per);
      add_waits(i, part, loops, segment, out);
    }
    if (executions % part.per != 0) spread_lines_.insert(kernel_.instructions[flow_.blocks[block].begin].line);
  }

  /// Ends the segment where copies begin or are waited for, and where warps arrive at a barrier without waiting.
  void add_waits(std::uint32_t instruction, const RegionPart& part, unsigned loops, OpenSegment& segment,
                 YamlValue& out) {
    const PtxClass& traits = profile_.kernel->instructions[instruction].traits;
    const bool begins = traits.role == PtxRole::commit || traits.is_bulk;
    if (!begins && traits.role != PtxRole::await && traits.role != PtxRole::arrive) return;
    flush(segment, part, loops, out);
    const std::uint32_t at = kernel_.instructions[instruction].line;
    if (begins || traits.role == PtxRole::await) write_copies(std::exchange(segment.copied, 0), part, out);
    if (traits.role == PtxRole::arrive) out.item(barriers_.signal_of(instruction), at_line(at));
    if (traits.role == PtxRole::await && has_copied_.count(part.of) != 0)
      add_step(out, "wait_memory", YamlValue::in_line().entry("outstanding", left_by(instruction, part)), at_line(at));
    if (traits.is_always_true && is_executed_by_all(instruction))
      add_step(out, "barrier", YamlValue::word(fmt::format("mbarrier{}", at)),
               at_line(at) + ": ASSUMED: all wait for the warp that copies");
  }

  void write_copies(std::uint64_t copied, const RegionPart& part, YamlValue& out) {
    const std::uint64_t bytes = mean_of_some(copied, part.per);
    if (bytes == 0) return;
    has_copied_.insert(part.of);
    in_flight_ = std::max(in_flight_, bytes);
    add_step(
        out, "memory",
        YamlValue::in_line().entry("bytes", YamlValue::bytes(bytes)).entry("asynchronous", YamlValue::word("true")),
        "copies to shared memory");
  }

  /// The groups of copies that a wait leaves outstanding.
  std::uint64_t left_by(std::uint32_t instruction, const RegionPart& part) const {
    const PreparedInstruction& wait = profile_.kernel->instructions[instruction];
    const AccessCounts& counts = part.counts->accesses[instruction];
    if (wait.traits.is_always_true) return counts.requests == 0 ? 0 : counts.outstanding / counts.requests;
    if (wait.amount.kind != ValueSource::Form::constant) return 0;
    return std::min(kMaxOutstanding, profile_.kernel->constants[wait.amount.index].bits.front());
  }

  bool is_executed_by_all(std::uint32_t instruction) const {
    const std::uint32_t block = flow_.block_at[instruction];
    return classes_.size() > 1 && std::all_of(classes_.begin(), classes_.end(), [&](const auto& warp_class) {
             return warp_class.counts.executions[block] / warp_class.warps.size() ==
                    classes_.front().counts.executions[block] / classes_.front().warps.size();
           });
  }

  /// A loop in this one that has a barrier and other trip counts in each iteration: both are written as one loop, with
  /// all iterations of the inner one.
  std::optional<std::uint32_t> uneven_child(std::uint32_t loop, const std::vector<RegionPart>& parts) const {
    for (std::uint32_t child = 0; child < flow_.loops.size(); ++child) {
      if (flow_.loops[child].parent != loop || !barriers_.are_in(child)) continue;
      for (const RegionPart& part : parts) {
        const std::uint64_t outer = part.counts->loops[loop].iterations;
        if (outer > 0 && part.counts->loops[child].iterations % outer != 0) return child;
      }
    }
    return std::nullopt;
  }

  void write_loop(std::uint32_t loop, const std::vector<RegionPart>& parts, unsigned loops, YamlValue& out) {
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const RegionPart& part) { return part.counts->loops[loop].iterations == 0; }))
      return;
    if (const auto barrier = barriers_.occasional(loop, parts))
      return write_split_loop(loop, *barrier, parts, loops, out);
    const std::uint32_t head = head_of(loop);
    const auto merged = uneven_child(loop, parts);
    if (merged) {
      merged_.insert(*merged);
      program_.comments.push_back(fmt::format(
          "ASSUMED: the loops of lines {} and {} are one, with as many iterations as the inner one has in all, since "
          "these differ from iteration to iteration of the outer one",
          kernel_.instructions[head].line, kernel_.instructions[head_of(*merged)].line));
    }
    const std::uint32_t counted = merged.value_or(loop);
    std::vector<RegionPart> inside;
    std::set<std::string> texts;
    std::string remark;
    for (const RegionPart& part : parts) {
      const LoopCounts& counts = part.counts->loops[counted];
      const std::uint64_t trips = mean_of_some(counts.iterations, part.per);
      const bool is_number = merged || split_.count(loop) != 0;
      texts.insert(is_number ? std::to_string(trips) : trip_texts_.count_text(loop, counts, trips, part.per));
      inside.push_back({part.of, part.per * trips, part.counts});
      if (trips * part.per != counts.iterations)
        remark = fmt::format(": {} iterations of {} warps", counts.iterations, classes_[part.of].warps.size());
    }
    if (texts.size() != 1) {
      add_reason(head, "begins a loop with a barrier, which not all warps repeat equally often");
      return;
    }
    if (loops >= kMaxLoops) {
      add_reason(head, fmt::format("begins a loop in {} others; those of a scenario are nested {} deep at most",
                                   kMaxLoops, kMaxLoops));
      return;
    }
    YamlValue body;
    write_region(loop, inside, loops + 1, body);
    if (body.is_empty()) add_step(body, "issue", YamlValue::in_line().entry("int32", 1U));
    const std::string& text = *texts.begin();  // perhaps with the count as a comment
    const std::size_t end = std::min(text.find("  # "), text.size());
    YamlValue count;
    count.entry("count", YamlValue::word(text.substr(0, end)), text.substr(std::min(end + 4, text.size())));
    add_step(out, "loop", count.entry("body", std::move(body)), at_line(kernel_.instructions[head].line) + remark);
    write_spread_atomics(parts, loops, out);
  }

  /// Writes the iterations in which warps arrive at the barrier as one loop, and the others as another one behind it.
  void write_split_loop(std::uint32_t loop, std::uint32_t barrier, const std::vector<RegionPart>& parts, unsigned loops,
                        YamlValue& out) {
    if (profile_.samples.trips.count(loop) != 0)
      return add_reason(
          barrier, "is a barrier in some iterations of a loop, and work-groups differ in how often they repeat it");
    std::vector<SplitCounts> counts;
    for (const RegionPart& part : parts)
      counts.push_back(split_iterations(*part.counts, part.per, *profile_.kernel, loop, flow_.block_at[barrier]));
    std::vector<RegionPart> with = parts;
    std::vector<RegionPart> without = parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      with[i].counts = &counts[i].with;
      without[i].counts = &counts[i].without;
    }
    const auto trips = [&](const std::vector<RegionPart>& region_parts) {
      return region_parts.front().counts->loops[loop].iterations / region_parts.front().per;
    };
    const auto argument = profile_.trips.expressions.find(loop);
    program_.comments.push_back(fmt::format(
        "ASSUMED: of {} iterations of the loop of line {}, the {} with the barrier of line {} come first{}",
        trips(parts), kernel_.instructions[head_of(loop)].line, trips(with), kernel_.instructions[barrier].line,
        argument == profile_.trips.expressions.end()
            ? ""
            : fmt::format("; their numbers do not follow arg{}, although it changes them", argument->second.argument)));
    split_.insert(loop);
    write_loop(loop, with, loops, out);
    write_loop(loop, without, loops, out);
  }

  std::uint32_t head_of(std::uint32_t loop) const { return flow_.blocks[flow_.loops[loop].head].begin; }

  /// Writes the steps of each level of loads. Copies stay in the segment: they begin with their group.
  void flush(OpenSegment& segment, const RegionPart& part, unsigned loops, YamlValue& out) {
    for (const PtxSegment& level : segment.close(*part.counts)) write_level(level, part, loops, out);
  }

  void write_level(const PtxSegment& segment, const RegionPart& part, unsigned loops, YamlValue& out) {
    const std::string lines = lines_between(segment.first_line, segment.last_line);
    if (const std::uint64_t bytes = mean_of_some(segment.loaded, part.per)) {
      in_flight_ = std::max(in_flight_, bytes);
      add_step(out, "memory", YamlValue::bytes(bytes), lines + ": what L1 does not hold");
    }
    add_issue_step(segment, {part.per, lines}, profile_, device_, out);
    for (const std::uint32_t instruction : segment.atomics) write_atomic(instruction, part, loops, out);
    if (const std::uint64_t bytes = mean_of_some(segment.stored, part.per)) {
      YamlValue store = YamlValue::in_line().entry("bytes", YamlValue::bytes(bytes));
      add_written(segment, part.per, device_, store);
      add_step(out, "store", std::move(store), lines + ": stores");
    }
  }

  /// What only some iterations of a loop execute is written behind it, for all of its iterations together.
  void write_atomic(std::uint32_t instruction, const RegionPart& part, unsigned loops, YamlValue& out) {
    const auto found = profile_.atomics.find(instruction);
    if (found == profile_.atomics.end() || !found->second.reason.empty()) return;  // the reason is reported instead
    const AccessCounts& counts = part.counts->accesses[instruction];
    if (loops > 0 && counts.requests % part.per != 0 && counts.requests < part.per) {
      spread_atomics_.emplace_back(instruction, part.of);
      return;
    }
    add_step(out, "atomic",
             YamlValue::in_line()
                 .entry("accesses", mean_of_some(counts.requests, part.per))
                 .entry("addresses", found->second.count)
                 .entry("space", YamlValue::word(counts.is_shared ? "slm" : "global")),
             at_line(kernel_.instructions[instruction].line) + ": " + found->second.origin);
  }

  void write_spread_atomics(const std::vector<RegionPart>& parts, unsigned loops, YamlValue& out) {
    for (const auto& [instruction, of] : std::exchange(spread_atomics_, {}))
      for (const RegionPart& part : parts) {
        if (part.of != of) continue;
        YamlValue steps;
        write_atomic(instruction, part, parts.size() > 1 ? loops + 1 : loops, steps);
        if (parts.size() > 1) add_only(classes_[of].warps, steps, out);
        if (parts.size() == 1) out.append(steps);
      }
  }

  const KernelProfile& profile_;
  const DeviceSpec& device_;
  const FlowGraph& flow_;
  const PtxKernel& kernel_;
  std::vector<WarpClass<ExecutionCounts>> classes_;
  BarrierArrivals barriers_;
  TripTexts trip_texts_;
  std::vector<std::uint64_t> carried_;  ///< by class: bytes of copies whose group has not begun
  std::set<std::size_t> has_copied_;    ///< classes
  std::set<std::uint32_t> merged_;      ///< loops that are written with the one around them
  std::set<std::uint32_t> split_;       ///< loops that are written as several
  std::vector<std::pair<std::uint32_t, std::size_t>> spread_atomics_;  ///< instruction, class
  ImportedProgram& program_;
  std::set<std::uint32_t> spread_lines_;
  std::uint64_t in_flight_ = 0;
};

}  // namespace

void add_steps(const KernelProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  StepWriter(profile, device, program).write();
}

}  // namespace gdsim
