#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/flat_program.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

std::string unknown_kind(const std::string& kind, const DeviceSpec& device) {
  if (lacks(device, "arithmetic." + kind))
    return "is a kind of arithmetic that " + device.id + " does not have, says its model (`arithmetic: {" + kind +
           ": none}`)";
  if (device.arithmetic.empty())
    return "is a kind of arithmetic, but the device " + device.id +
           " does not say how fast it is at any: its model needs the key `arithmetic`, as in `arithmetic: {" + kind +
           ": 32}`";
  std::vector<std::string_view> known;
  for (const ArithmeticRate& rate : device.arithmetic) known.push_back(rate.kind);
  const std::string hint = did_you_mean(kind, known);
  return "the model of " + device.id + " does not say how fast it is at this kind;" + (hint.empty() ? "" : hint + ";") +
         " it knows: " + join(known) + "; `device: {base: " + device.id + ", arithmetic: {" + kind + ": 32}}` does";
}

namespace {

/// Checks step by step, then the whole paths of the threads.
class IssueFinder {
 public:
  IssueFinder(const ProgramOfGroups& program, std::size_t index, const DeviceSpec& device)
      : kernel_(program.kernel),
        group_(program.first_group),
        at_(item_path("kernels", index) + "."),
        device_(device),
        clock_(clock_of(device)) {}

  Issues run() {
    check_body(kernel_.program, "program", 0);
    if (!takes_time_)
      fail("program", group_ ? "has no step that takes time; add one outside of its loops, as in `- compute: 1 ns`"
                             : "has no step that takes time; add a `compute`");
    for (Issue& issue : check_signals(kernel_.program)) fail(issue.path, std::move(issue.message));
    if (issues_.empty()) check_outstanding();
    if (issues_.empty() && has_known_sub_group()) check_sums();
    if (issues_.empty() && has_known_sub_group()) check_phases();
    if (issues_.empty() && has_known_sub_group()) check_timeless_loops();
    return std::move(issues_);
  }

 private:
  void fail(const std::string& field, std::string message) {
    if (tile_) message += " (tile " + std::to_string(*tile_) + ")";
    if (group_) message += " (work-group " + std::to_string(number_of(*group_)) + ")";
    issues_.push_back({at_ + field, std::move(message)});
  }

  void check_body(const Program& program, const std::string& field, std::size_t depth) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::string place = item_path(field, i);
      std::visit([&](const auto& step) { check(step, place, depth); }, static_cast<const Step::variant&>(program[i]));
    }
  }

  void check(const Compute& step, const std::string& field, std::size_t) {
    check_time(step.time, "compute", field + ".compute");
  }
  void check(const IssueSlots& step, const std::string& field, std::size_t) {
    if (step.by_kind.empty())
      check_time(step.slots, "issue", field + ".issue");
    else
      check_instructions(step.by_kind, field + ".issue");
    if (!step.l1.empty()) check_l1(field + ".issue.l1");
  }
  void check_l1(const std::string& field) {
    if (!device_.l1) fail(field, "accesses L1, but " + why_missing(device_, capabilities::kL1));
    if (!device_.clock) fail(field, "counts cycles of L1, but the device " + device_.id + " has no `clock`");
  }
  void check(const Barrier&, const std::string&, std::size_t) {}
  void check(const Signal&, const std::string&, std::size_t) {}
  void check(const Wait&, const std::string&, std::size_t) {}
  void check(const WaitMemory&, const std::string&, std::size_t) {}

  void check(const Fence&, const std::string& field, std::size_t) {
    takes_time_ = takes_time_ || fence_latency(device_);
    if (!device_.memory)
      fail(field, "orders accesses to global memory, but " + why_missing(device_, capabilities::kMemory));
  }

  void check(const GridBarrier& step, const std::string& field, std::size_t) {
    check_cost(step.cost, field + ".grid_barrier");
  }
  void check_cost(const StepTime& cost, const std::string& at) {
    if (cost.amount.is_zero()) return;
    if (cost.unit == StepTime::Unit::cycles && !device_.clock) {
      fail(at, "counts cycles, but the device " + device_.id + " has no `clock`");
    } else if (const auto fault = fault_of(cost, Decimal::whole(1)); !fault.empty()) {
      fail(at, "the time " + fault);
    }
  }
  void check(const Trigger&, const std::string&, std::size_t) {}
  void check(const WaitDependencies&, const std::string&, std::size_t) {}

  void check(const LaunchChild&, const std::string& field, std::size_t) {
    if (field.find('.') != std::string::npos)
      fail(field, "a child is launched once by a work-group: not in a loop, and not by some of its threads");
  }

  void check(const Memory& step, const std::string& field, std::size_t) {
    takes_time_ = true;
    if (step.bytes.count == 0) fail(field + ".memory", "memory must be more than 0 B");
    if (step.written && step.written->whole + step.written->partial == 0)
      fail(field + ".memory.written", "names no sector; write `written: {whole: 4}`, or leave it out");
    if (!device_.memory) fail(field, "accesses global memory, but " + why_missing(device_, capabilities::kMemory));
    if (step.multicast > kernel_.cluster_size())
      fail(field + ".memory.multicast", fault_of_multicast(step.multicast, kernel_.cluster_size()));
    if (step.is_block) check_block(field + (step.is_posted ? ".store.block" : ".memory.block"));
  }
  void check_block(const std::string& field) {
    if (!device_.memory) return;
    const auto& sizes = device_.memory->block_sub_groups;
    if (sizes.empty() || std::find(sizes.begin(), sizes.end(), kernel_.sub_group) != sizes.end()) return;
    std::string allowed;
    for (const std::uint32_t size : sizes) allowed += (allowed.empty() ? "" : ", ") + std::to_string(size);
    fail(field, "sub-groups of " + std::to_string(kernel_.sub_group) + " cannot access blocks on " + device_.id +
                    ", those of " + allowed + " can; write `sub_group: " + std::to_string(sizes.back()) +
                    "`, or leave `block` out");
    issues_.back().code = "unsupported_sub_group";
  }

  void check(const Slm&, const std::string& field, std::size_t) {
    takes_time_ = true;
    if (!device_.slm_access) fail(field, "accesses SLM, but " + why_missing(device_, capabilities::kSlmAccess));
    if (!device_.clock) fail(field, "counts cycles of the banks, but the device " + device_.id + " has no `clock`");
  }

  void check(const Atomic& step, const std::string& field, std::size_t) {
    takes_time_ = true;
    const bool is_slm = step.space == AtomicSpace::slm;
    if (is_slm && step.type == AtomicType::floating)
      fail(field + ".atomic.type", "is float in SLM, for which devices have one rate; leave `type` out there");
    if (!(is_slm ? device_.atomics.slm : device_.atomics.global))
      fail(field, "has atomic accesses, but " +
                      why_missing(device_, is_slm ? capabilities::kSlmAtomics : capabilities::kGlobalAtomics));
    if (is_slm && !device_.slm_access)
      fail(field, "accesses SLM, but " + why_missing(device_, capabilities::kSlmAccess));
    if (!is_slm && !device_.memory)
      fail(field, "accesses global memory, but " + why_missing(device_, capabilities::kMemory));
    if (!device_.clock) fail(field, "counts cycles, but the device " + device_.id + " has no `clock`");
  }

  /// Checks all bodies. Of bodies of single tiles, reports only the first wrong one.
  void check(const Tiles& step, const std::string& field, std::size_t) {
    const std::size_t issues = issues_.size();
    for (Issue& issue : check_tiles(step, kernel_, field)) fail(issue.path, std::move(issue.message));
    check_cost(step.cost, field + ".tiles.cost");
    for (std::size_t body = 0; body < step.body_count() && issues_.size() == issues; ++body) {
      if (step.body_count() > 1)
        tile_ = static_cast<std::size_t>(
            std::find(step.of_tile.begin(), step.of_tile.end(), static_cast<std::uint32_t>(body)) -
            step.of_tile.begin());
      takes_time_ = false;
      check_body(step.body_of(body), field + ".tiles.body", 0);
      if (!takes_time_ && issues_.size() == issues)
        fail(field, "nothing in the body of the tiles takes time; add a `compute`");
    }
    tile_.reset();
    takes_time_ = true;
  }

  void check(const Loop& step, const std::string& field, std::size_t depth) {
    if (step.body.empty()) fail(field, "the loop's body is empty");
    if (depth == kMaxLoops) {
      fail(field, "loops are nested more than " + std::to_string(kMaxLoops) + " deep");
      takes_time_ = true;  // or not: the body was not checked
      return;
    }
    const bool before = std::exchange(takes_time_, false);
    const std::size_t issues = issues_.size();
    check_body(step.body, field + ".loop.body", depth + 1);
    const bool signals = has_step<Signal>(step.body) || has_step<Wait>(step.body);  // see check_timeless_loops()
    if (!takes_time_ && !signals && !step.body.empty() && issues_.size() == issues)
      fail(field, "nothing in the loop takes time; add a `compute`");
    takes_time_ = (takes_time_ && step.count > 0) || before;
  }

  void check(const Only& step, const std::string& field, std::size_t depth) {
    const std::uint64_t threads = kernel_.threads_per_work_group();
    for (const ThreadRange& range : step.threads) {
      if (range.last >= threads)
        fail(field, "there is no thread " + std::to_string(range.last) + "; a work-group has " +
                        std::to_string(threads) + ", numbered from 0");
      if (range.first > range.last)
        fail(field, "the range " + std::to_string(range.first) + "-" + std::to_string(range.last) + " is empty");
    }
    if (step.threads.empty()) fail(field, "names no thread");
    if (step.body.empty()) fail(field, "the body is empty");
    check_body(step.body, field + ".only.body", depth);
  }

  void check_time(const StepTime& time, const std::string& name, const std::string& field) {
    takes_time_ = true;
    if (time.unit == StepTime::Unit::cycles && !device_.clock) {
      fail(field, "counts cycles, but the device " + device_.id + " has no `clock`");
      return;
    }
    if (time.amount.is_zero()) {
      fail(field, name + " must be more than 0");
      return;
    }
    if (const auto fault = fault_of(time, Decimal::whole(1)); !fault.empty()) {
      fail(field, "the duration " + fault);
      return;
    }
    const auto& of_wave = kernel_.variation.first_wave;
    if (const auto fault = of_wave ? fault_of(time, *of_wave) : ""; !fault.empty() && !of_wave->is_zero())
      fail("variation.first_wave",
           "with this factor, the duration of step " + step_words(field) + " of the program " + fault);
    for (const WorkGroupFactor& entry : kernel_.variation.factors)
      if (entry.duration) {
        check_duration(entry);
      } else if (const auto fault = fault_of(time, entry.factor); !fault.empty() && !entry.factor.is_zero()) {
        fail(item_path("variation.work_groups", number_of(entry.work_group)),
             "with this factor, the duration of step " + step_words(field) + " of the program " + fault);
      }
  }

  void check_duration(const WorkGroupFactor& entry) {
    const std::string field = item_path("variation.work_groups", number_of(entry.work_group));
    if (entry.duration->unit == StepTime::Unit::cycles && !device_.clock) {
      fail(field, "counts cycles, but the device " + device_.id + " has no `clock`");
    } else if (const auto fault = fault_of(*entry.duration, Decimal::whole(1)); !fault.empty()) {
      fail(field, "the duration " + fault);
    }
  }

  /// Their total, with factors, is checked with the other sums.
  void check_instructions(const std::vector<InstructionCount>& instructions, const std::string& field) {
    takes_time_ = true;
    for (const InstructionCount& instruction : instructions)
      if (rate_of(device_.arithmetic, instruction.kind) == nullptr) {
        issues_.push_back({at_ + field + "." + instruction.kind, unknown_kind(instruction.kind, device_)});
        issues_.back().is_about_name = true;
      }
    if (!device_.clock) fail(field, "counts cycles, but the device " + device_.id + " has no `clock`");
  }

  /// Step words for a path: `program[2].compute` is step 3; in loops and divergent parts, step by step:
  /// `program[1].loop.body[0].compute` is step 2.1.
  static std::string step_words(const std::string& field) {
    std::string words;
    for (std::size_t at = field.find('['); at != std::string::npos; at = field.find('[', at + 1))
      words += (words.empty() ? "" : ".") + std::to_string(std::stoul(field.substr(at + 1)) + 1);
    return words;
  }

  /// Returns why a duration cannot be used; empty if it can.
  std::string fault_of(const StepTime& time, const Decimal& factor) const {
    const auto duration = resolve(time, clock_, factor);
    if (!duration) return "leaves 64-bit picoseconds (9,223,372 s)";
    return duration->count == 0 ? "rounds to 0 ps" : "";
  }

  /// Returns true if the device has the sub-group's size, which conflicts of SLM banks depend on.
  bool has_known_sub_group() const {
    const auto& sizes = device_.sub_group_sizes;
    return std::find(sizes.begin(), sizes.end(), kernel_.sub_group) != sizes.end();
  }

  void check_outstanding() {
    for (const std::uint32_t thread : first_threads(kernel_))
      if (max_outstanding(kernel_.program, thread) > kMaxOutstanding) {
        fail("program",
             "thread " + std::to_string(thread) + " may have more than " + std::to_string(kMaxOutstanding) +
                 " asynchronous loads outstanding; wait for the older ones in between, as in `- wait_memory: "
                 "{outstanding: 1}`");
        return;
      }
  }

  /// Checks that sums over loops stay countable. Bytes that a factor makes 0 do not count.
  void check_sums() {
    std::vector<Decimal> factors{Decimal::whole(1)};
    for (const WorkGroupFactor& entry : kernel_.variation.factors)
      if (!entry.duration) factors.push_back(entry.factor);
    const auto is_less = [](const Decimal& a, const Decimal& b) { return compare(a, b) < 0; };
    const auto is_same = [](const Decimal& a, const Decimal& b) { return compare(a, b) == 0; };
    std::stable_sort(factors.begin() + 1, factors.end(), is_less);
    factors.erase(std::unique(factors.begin() + 1, factors.end(), is_same), factors.end());
    const BarrierNames barriers(kernel_.program);
    for (const std::uint32_t thread : first_threads(kernel_)) {
      const std::vector<PlannedOp> path = flatten(kernel_, device_, barriers, thread, 0);
      for (const PlannedOp& planned : path)
        for (const Decimal& factor : factors)
          if (!check_sum(planned, factor, Decimal::whole(1)) ||
              !check_sum(planned, factor, kernel_.variation.first_wave.value_or(Decimal::whole(1))))
            return;
    }
  }

  void check_phases() {
    const BarrierNames barriers(kernel_.program);
    for (const std::uint32_t thread : first_threads(kernel_))
      if (const auto line = first_with_too_many_phases(flatten(kernel_, device_, barriers, thread, 0))) {
        fail("program", "thread " + std::to_string(thread) + " arrives at a barrier, or waits for one, more than " +
                            std::to_string(kMaxPhases) + " times, in the loops around line " + std::to_string(*line) +
                            "; make one of them shorter, as in `count: 1000`");
        return;
      }
  }

  /// Checks that activity at one instant ends. Smaller work-groups at edges may lack the threads that take time.
  void check_timeless_loops() {
    const std::vector<std::uint32_t> first = first_threads(kernel_);
    const BarrierNames barriers(kernel_.program);
    const auto path_of = [&](std::uint32_t thread) { return flatten(kernel_, device_, barriers, thread, 0); };
    if (std::none_of(first.begin(), first.end(),
                     [&](std::uint32_t thread) { return may_be_timeless(path_of(thread)); }))
      return;
    std::vector<Path> paths;
    for (const std::uint32_t thread : first) paths.push_back(path_of(thread));
    const bool cost_time =
        !device_.barrier_cost.base.amount.is_zero() || !device_.barrier_cost.per_thread.amount.is_zero();
    for (std::size_t count = kernel_.has_smaller_groups() ? 1 : paths.size(); count <= paths.size(); ++count)
      if (const auto loop = first_timeless_loop(std::span(paths).first(count), cost_time)) {
        fail("program", "no step of thread " + std::to_string(first[loop->path]) +
                            " takes time in the loop around line " + std::to_string(loop->line) +
                            ", nor does any that it waits for. Such a loop may have " +
                            std::to_string(kMaxTimelessIterations) + " iterations; this one has " +
                            std::to_string(loop->iterations) + ". Add a step that takes time, as in `- compute: 1 ns`");
        return;
      }
  }

  bool check_sum(const PlannedOp& planned, const Decimal& factor, const Decimal& of_wave) {
    if (planned.op.kind > OpCode::store || factor.is_zero() || of_wave.is_zero()) return true;
    const auto amount = amount_of(planned.cost, clock_, factor, of_wave);
    if (amount && *amount > 0) return true;
    const bool is_first = compare(of_wave, Decimal::whole(1)) != 0;
    const std::string with = is_first ? " and a first_wave of " + to_text(of_wave) : "";
    fail("program", amount ? "with the factor " + to_text(factor) + with + ", a step does nothing"
                           : "a step, with all iterations of its loops" + with + ", leaves 63 bits");
    return false;
  }

  const Kernel& kernel_;
  std::optional<WorkGroupId> group_;   ///< the first with the program, where work-groups differ
  std::optional<std::uint64_t> tile_;  ///< the first with the body, where tiles differ
  std::string at_;                     ///< the path of the kernel
  const DeviceSpec& device_;
  Hertz clock_;
  bool takes_time_ = false;
  Issues issues_;
};

}  // namespace

Issues check_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device) {
  return check_under_clocks(device, [&](const DeviceSpec& under_clock) {
    Issues issues;
    for_each_program(kernel, [&](const ProgramOfGroups& program) {
      issues = IssueFinder(program, index, under_clock).run();
      return issues.empty();
    });
    return issues;
  });
}

}  // namespace gdsim
