#include <gdsim/import/amd/gcn/gcn_profile.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// A vector memory operation that a wave has not waited for.
struct MemoryOperation {
  std::uint64_t bytes = 0;  ///< that no step has requested yet
  std::uint64_t step = 0;   ///< number of the step that requested its bytes; 0: none
};

constexpr std::uint64_t kNoWait = ~std::uint64_t{0};

/// How many operations a wait leaves.
struct WaitCounts {
  std::uint64_t memory = kNoWait;
  std::uint64_t lds = kNoWait;
};

/// Waves that execute a region together.
struct WavePart {
  std::size_t of = 0;         ///< their class
  std::uint64_t per = 0;      ///< times that they execute its body, all of them together
  std::uint64_t missing = 0;  ///< times that its loads wait for what L1 does not hold; 0: nothing more is loaded
};

/// Code of a loop, or of none, that waves execute together.
struct Region {
  std::optional<std::uint32_t> loop;
  std::uint32_t begin = 0;  ///< instruction
  std::uint32_t end = 0;    ///< the first one behind it
};

/// The body of a loop. The first iteration of each entry may be short: the second region alone.
struct LoopBody {
  std::uint32_t loop = 0;
  Region first{};  ///< empty unless the first iteration is short
  Region second{};
  std::vector<WavePart> in_first{};
  std::vector<WavePart> in_second{};
};

/// What waves of a class have begun.
struct OpenWork {
  GcnSegment segment;
  std::vector<MemoryOperation> operations;  ///< in the order in which they return
  std::uint64_t steps = 0;                  ///< requested so far
  std::uint64_t lds_accesses = 0;           ///< instructions of the segment
};

/// Writes the steps of one kernel.
class GcnStepWriter {
 public:
  GcnStepWriter(const GcnProfile& profile, const DeviceSpec& device, ImportedProgram& program)
      : profile_(profile), code_(profile.program), device_(device), program_(program), open_(profile.classes.size()) {
    counts_stores_ = !code_.kernel->target.starts_with("gfx1");
  }

  void write() {
    if (!profile_.reason.empty()) program_.reasons.push_back(profile_.reason);
    std::vector<WavePart> parts;
    for (const auto& wave_class : profile_.classes)
      parts.push_back({parts.size(), wave_class.warps.size(), wave_class.warps.size()});
    YamlValue steps;
    write_region({{}, 0, static_cast<std::uint32_t>(code_.classes.size())}, parts, 0, steps);
    if (steps.is_empty() && program_.reasons.empty())
      program_.reasons.emplace_back("its waves execute nothing that takes time");
    if (!program_.reasons.empty()) return;
    program_.steps = std::move(steps);
    if (in_flight_ > 0) program_.in_flight = in_flight_;
    if (!spread_.empty())
      program_.comments.push_back(
          fmt::format("ASSUMED: what these lines do in some iterations of a loop, or for some "
                      "of the same waves, is spread evenly over all: {}",
                      fmt::join(spread_, ", ")));
  }

 private:
  /// Returns the line of an instruction, as a remark.
  std::string line_of(std::uint32_t instruction) const {
    return fmt::format("line {}", code_.kernel->instructions[instruction].line);
  }

  void add_reason(std::uint32_t instruction, const std::string& what) {
    const GcnInstruction& at = code_.kernel->instructions[instruction];
    const std::string reason = fmt::format("line {} ({}) {}", at.line, printable(at.opcode), what);
    auto& known = program_.reasons;
    constexpr std::size_t most = 8;
    if (known.size() < most && std::find(known.begin(), known.end(), reason) == known.end()) known.push_back(reason);
  }

  const GcnWaveCounts& counts_of(const WavePart& part) const { return profile_.classes[part.of].counts; }

  void write_region(const Region& region, const std::vector<WavePart>& parts, unsigned loops, YamlValue& out) {
    std::vector<YamlValue> pending(parts.size());
    const auto flush_all = [&] {
      for (std::size_t i = 0; i < parts.size(); ++i) flush(parts[i], pending[i]);
    };
    for (std::uint32_t at = region.begin; at < region.end; ++at) {
      if (const auto inner = loop_with_first(region.loop, at)) {
        flush_all();
        if (has_barrier(*inner)) {
          add_parts(profile_.classes, parts, pending, out);
          write_loop(*inner, parts, loops, out);
        } else {
          for (std::size_t i = 0; i < parts.size(); ++i)
            if (counts_of(parts[i]).iterations[*inner] > 0) write_loop(*inner, {parts[i]}, loops, pending[i]);
        }
        at = code_.loops[*inner].end - 1;
        continue;
      }
      for (std::size_t i = 0; i < parts.size(); ++i) add(at, parts[i], pending[i]);
      if (code_.classes[at].role != GcnRole::barrier || !is_arrived_at(at, parts)) continue;
      flush_all();
      add_parts(profile_.classes, parts, pending, out);
      out.item(YamlValue::word("barrier"), line_of(at));
    }
    flush_all();
    add_parts(profile_.classes, parts, pending, out);
  }

  /// Returns the loop directly inside `loop` whose code has this instruction first; its iterations begin at its head,
  /// which may be another one.
  std::optional<std::uint32_t> loop_with_first(std::optional<std::uint32_t> loop, std::uint32_t at) const {
    auto inner = code_.loop_around(at);
    while (inner && code_.loops[*inner].parent != loop) inner = code_.loops[*inner].parent;
    return inner && inner != loop && code_.loops[*inner].begin == at ? inner : std::nullopt;
  }

  bool has_barrier(std::uint32_t loop) const {
    for (std::uint32_t at = code_.loops[loop].begin; at < code_.loops[loop].end; ++at)
      if (code_.classes[at].role == GcnRole::barrier) return true;
    return false;
  }

  /// Returns true if these waves arrive at the barrier each time; adds a reason if only some do.
  bool is_arrived_at(std::uint32_t at, const std::vector<WavePart>& parts) {
    const auto arrivals = [&](const WavePart& part) { return counts_of(part).executions[at]; };
    if (std::all_of(parts.begin(), parts.end(), [&](const WavePart& part) { return arrivals(part) == 0; }))
      return false;
    const bool is_each_time =
        std::all_of(parts.begin(), parts.end(), [&](const WavePart& part) { return arrivals(part) == part.per; });
    if (!is_each_time) add_reason(at, "is a barrier at which only some waves arrive, or only in some iterations");
    return is_each_time;
  }

  void add(std::uint32_t at, const WavePart& part, YamlValue& out) {
    const GcnWaveCounts& counts = counts_of(part);
    if (counts.executions[at] == 0) return;
    const GcnClass& traits = code_.classes[at];
    OpenWork& open = open_[part.of];
    if (counts.executions[at] % part.per != 0) spread_.insert(code_.kernel->instructions[at].line);
    if (traits.role == GcnRole::wait) return wait(at, part, out);
    if (traits.role == GcnRole::atomic) return write_atomic(at, part, out);
    open.segment.add(code_, counts, at);
    if (traits.is_lds) ++open.lds_accesses;
    if (traits.is_lds || (traits.role != GcnRole::load && traits.role != GcnRole::store)) return;
    if (traits.role == GcnRole::load) {
      const std::uint64_t missed = counts.accesses[at].missed;
      open.operations.push_back({part.missing == 0 ? 0 : mean_of_some(missed, part.missing), 0});
    } else if (counts_stores_) {
      open.operations.push_back({});
    }
  }

  /// Requests the bytes of these operations in one step.
  void request(OpenWork& open, std::size_t first, std::size_t end, YamlValue& out) {
    std::uint64_t bytes = 0;
    for (std::size_t i = first; i < end; ++i) bytes += open.operations[i].bytes;
    if (bytes == 0) return;
    ++open.steps;
    for (std::size_t i = first; i < end; ++i)
      if (std::exchange(open.operations[i].bytes, 0) > 0) open.operations[i].step = open.steps;
    in_flight_ = std::max(in_flight_, bytes);
    add_step(
        out, "memory",
        YamlValue::in_line().entry("bytes", YamlValue::bytes(bytes)).entry("asynchronous", YamlValue::word("true")),
        lines_between(open.segment.first_line, open.segment.last_line) + ": what L1 does not hold");
  }

  void flush(const WavePart& part, YamlValue& out) {
    OpenWork& open = open_[part.of];
    request(open, 0, open.operations.size(), out);
    add_gcn_steps_of(open.segment, part.per, code_, device_, out);
    open.segment = {};
    open.lds_accesses = 0;
  }

  void wait(std::uint32_t at, const WavePart& part, YamlValue& out) {
    const GcnInstruction& instruction = code_.kernel->instructions[at];
    if (instruction.opcode != "s_waitcnt") return;
    OpenWork& open = open_[part.of];
    const WaitCounts left = counts_of(instruction);
    if (left.memory < kNoWait)
      wait_for_memory(at, open.operations.size() - std::min<std::size_t>(left.memory, open.operations.size()), part,
                      out);
    if (open.lds_accesses > left.lds) flush(part, out);
  }

  /// Source: AMD's ISA documents, s_waitcnt: the fields of its number, of gfx9, gfx10 and gfx11.
  WaitCounts counts_of(const GcnInstruction& wait) const {
    WaitCounts left;
    if (wait.has("vmcnt")) left.memory = static_cast<std::uint64_t>(wait.modifier("vmcnt"));
    if (wait.has("lgkmcnt")) left.lds = static_cast<std::uint64_t>(wait.modifier("lgkmcnt"));
    if (!wait.has(kGcnWaitNumber)) return left;
    const auto bits = static_cast<std::uint64_t>(wait.modifier(kGcnWaitNumber));
    const std::string_view target = code_.kernel->target;
    if (target.starts_with("gfx11")) return {(bits >> 10) & 63, (bits >> 4) & 63};
    return {(bits & 15) | ((bits >> 10) & 48), (bits >> 8) & (target.starts_with("gfx10") ? 63U : 15U)};
  }

  /// Waits for the first `done` operations.
  void wait_for_memory(std::uint32_t at, std::size_t done, const WavePart& part, YamlValue& out) {
    OpenWork& open = open_[part.of];
    request(open, 0, done, out);
    std::set<std::uint64_t> awaited;
    std::set<std::uint64_t> left;
    for (std::size_t i = 0; i < open.operations.size(); ++i)
      if (open.operations[i].step != 0) (i < done ? awaited : left).insert(open.operations[i].step);
    for (const std::uint64_t step : awaited) left.erase(step);
    if (!awaited.empty()) {
      if (done < open.operations.size()) {
        const std::uint64_t before = open.steps;
        request(open, done, open.operations.size(), out);
        if (open.steps > before) left.insert(open.steps);
      }
      flush(part, out);
      add_step(out, "wait_memory", YamlValue::in_line().entry("outstanding", std::min(left.size(), kMaxLeft)),
               line_of(at));
    }
    open.operations.erase(open.operations.begin(), open.operations.begin() + static_cast<std::ptrdiff_t>(done));
  }

  void write_loop(std::uint32_t loop, const std::vector<WavePart>& parts, unsigned loops, YamlValue& out) {
    const GcnLoop& flow_loop = code_.loops[loop];
    const std::uint64_t shorter = is_first_iteration_short(loop, parts) ? 1 : 0;  // per entry
    const std::uint32_t split = shorter != 0 ? flow_loop.head : flow_loop.begin;
    LoopBody body{loop, {loop, flow_loop.begin, split}, {loop, split, flow_loop.end}};
    std::set<std::uint64_t> trips;
    std::string remark;
    for (const WavePart& part : parts) {
      const std::uint64_t repeated = counts_of(part).iterations[loop] - shorter * counts_of(part).entries[loop];
      trips.insert(mean_of_some(repeated, part.per));
      const std::uint64_t per = part.per * *trips.begin();
      body.in_first.push_back({part.of, per, per});
      body.in_second.push_back({part.of, per + shorter * part.per, per + shorter * part.per});
      if (per != repeated)
        remark = fmt::format(": {} iterations of {} waves", repeated, profile_.classes[part.of].warps.size());
    }
    if (trips.size() != 1)
      return add_reason(flow_loop.head, "begins a loop with a barrier, which not all waves repeat equally often");
    const std::uint64_t count = *trips.begin();
    if (count > 0 && loops >= kMaxLoops)
      return add_reason(flow_loop.head,
                        fmt::format("begins a loop in {} others, and {} are allowed", kMaxLoops, kMaxLoops));
    const bool is_alone = parts.size() == 1 && loops + 1 < kMaxLoops;
    const std::uint64_t missing = is_alone ? missing_iterations(body, parts[0]).value_or(count) : count;
    if (missing < count) {
      body.in_first[0].missing = parts[0].per * missing;
      body.in_second[0].missing = parts[0].per * (missing + shorter);
    }
    if (shorter != 0) write_region(body.second, body.in_second, loops, out);
    if (count > 0) add_loops(body, std::min(missing, count), count, remark, loops, out);
  }

  /// Returns true if waves enter a loop at its head, which stands behind other code of it, and execute none of that in
  /// the first iteration of an entry: as `while` loops whose condition stands last.
  bool is_first_iteration_short(std::uint32_t loop, const std::vector<WavePart>& parts) const {
    const GcnLoop& flow_loop = code_.loops[loop];
    if (flow_loop.begin == flow_loop.head) return false;
    return std::all_of(parts.begin(), parts.end(), [&](const WavePart& part) {
      const GcnWaveCounts& counts = counts_of(part);
      std::uint64_t most = 0;
      for (std::uint32_t at = flow_loop.begin; at < flow_loop.head; ++at) {
        const auto inner = loop_with_first(loop, at);
        if (inner && code_.loops[*inner].end > flow_loop.head) return false;
        most = std::max(most, inner ? counts.entries[*inner] : counts.executions[at]);
        if (inner) at = code_.loops[*inner].end - 1;
      }
      return most == counts.iterations[loop] - counts.entries[loop];
    });
  }

  /// Adds loops of which `missing` of `count` iterations wait for what L1 does not hold.
  void add_loops(LoopBody& body, std::uint64_t missing, std::uint64_t count, const std::string& remark, unsigned loops,
                 YamlValue& out) {
    const std::string line = line_of(code_.loops[body.loop].head);
    const std::string why = line + ": iterations in which L1 holds what they load";
    const std::uint64_t others = count - missing;
    YamlValue waiting = missing == 0 ? YamlValue() : steps_of(body, loops);
    if (others > 0) body.in_first[0].missing = body.in_second[0].missing = 0;
    if (missing > 0 && others >= missing) add_loop(others / missing, steps_of(body, loops + 1), why, waiting);
    if (missing > 0) add_loop(missing, std::move(waiting), line + remark, out);
    const std::uint64_t rest = missing == 0 ? others : others % missing;
    if (rest > 0) add_loop(rest, steps_of(body, loops), why, out);
  }

  YamlValue steps_of(const LoopBody& body, unsigned loops) {
    YamlValue steps;
    write_region(body.first, body.in_first, loops + 1, steps);
    write_region(body.second, body.in_second, loops + 1, steps);
    if (steps.is_empty()) add_step(steps, "issue", YamlValue::in_line().entry("int32", 1U));
    return steps;
  }

  static void add_loop(std::uint64_t count, YamlValue body, const std::string& remark, YamlValue& out) {
    add_step(out, "loop", YamlValue().entry("count", count).entry("body", std::move(body)), remark);
  }

  /// Returns in how many iterations of one entry, without a short first one, loads of the loop wait for what L1 does
  /// not hold; nullopt: in all, or in none, or the loop has others inside or a barrier.
  std::optional<std::uint64_t> missing_iterations(const LoopBody& body, const WavePart& part) const {
    if (has_barrier(body.loop)) return std::nullopt;
    std::uint64_t in_first = 0;
    std::uint64_t in_second = 0;
    for (std::uint32_t at = body.first.begin; at < body.second.end; ++at) {
      if (code_.loop_around(at) != body.loop) return std::nullopt;
      if (code_.classes[at].role != GcnRole::load || code_.classes[at].is_lds) continue;
      std::uint64_t& misses = at < body.second.begin ? in_first : in_second;
      misses = std::max(misses, mean_of_some(counts_of(part).accesses[at].misses, part.per));
    }
    if (in_first + in_second == 0) return std::nullopt;
    const bool is_first_short = body.first.begin < body.first.end;
    return std::max(in_first, is_first_short && in_second > 0 ? in_second - 1 : in_second);
  }

  void write_atomic(std::uint32_t at, const WavePart& part, YamlValue& out) {
    const GcnAccess& access = counts_of(part).accesses[at];
    if (access.requests == 0) return;
    const GcnInstruction& instruction = code_.kernel->instructions[at];
    flush(part, out);
    const bool is_lds = code_.classes[at].is_lds;
    const bool has_result = !gcn_writes(instruction, code_.classes[at]).empty();
    if (!is_lds && (counts_stores_ || has_result)) open_[part.of].operations.push_back({});
    const auto found = profile_.atomic_addresses.find(at);
    const std::uint64_t addresses =
        is_lds ? std::max<std::uint64_t>(1, code_.kernel->lanes / std::max<std::uint32_t>(1, access.max_same))
        : found != profile_.atomic_addresses.end() ? found->second
                                                   : 1;
    add_step(out, "atomic",
             YamlValue::in_line()
                 .entry("accesses", mean_of_some(access.requests, part.per))
                 .entry("addresses", addresses)
                 .entry("space", YamlValue::word(is_lds ? "slm" : "global")),
             line_of(at));
  }

  static constexpr std::size_t kMaxLeft = kMaxOutstanding;

  const GcnProfile& profile_;
  const GcnProgram& code_;
  const DeviceSpec& device_;
  ImportedProgram& program_;
  std::vector<OpenWork> open_;      ///< by class
  std::set<std::uint32_t> spread_;  ///< lines
  std::uint64_t in_flight_ = 0;
  bool counts_stores_ = true;  ///< vmcnt counts stores as well
};

}  // namespace

void add_gcn_steps(const GcnProfile& profile, const DeviceSpec& device, ImportedProgram& program) {
  GcnStepWriter(profile, device, program).write();
}

}  // namespace gdsim
