#include <gdsim/program/flat_program.hpp>

#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/work_amounts.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace gdsim {

BarrierNames::BarrierNames(const Program& program) : names_(barrier_names(program)), flags_(flag_names(program)) {
  const auto add = [&](std::optional<std::uint32_t>& position, const char* name) {
    position = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
  };
  if (has_step<GridBarrier>(program)) add(grid_, "grid barrier");
  if (has_step<WaitDependencies>(program)) add(dependencies_, "launches before it");
  for_each_step(program, [&](const Step& step) {
    const auto* signal = std::get_if<Signal>(&step);
    some_pass_initially_ = some_pass_initially_ || (signal != nullptr && signal->initially > 0);
    const auto* tiles = std::get_if<Tiles>(&step);
    if (tiles == nullptr) return;
    tile_barriers_.emplace_back();
    if (has_tile_barrier(*tiles)) add(tile_barriers_.back(), "tiles");
  });
  const std::size_t barriers = names_.size();
  for (std::uint32_t i = 0; i < flags_.size(); ++i) {
    names_.push_back(flags_[i].first);
    flag_positions_.emplace(flags_[i], i);
  }
  for (std::uint32_t i = 0; i < barriers; ++i) positions_.emplace(names_[i], i);
}

namespace {

bool includes(const Only& only, std::uint32_t thread) {
  return std::any_of(only.threads.begin(), only.threads.end(),
                     [thread](const ThreadRange& range) { return range.first <= thread && thread <= range.last; });
}

/// Returns true if the body is only one step of several works, none of them on L1.
bool is_one_issue(const std::vector<PlannedOp>& body) {
  return !body.empty() && body.back().op.kind == OpCode::issue_parts && body.back().op.parts + 1 == body.size() &&
         std::none_of(body.begin(), body.end(), [](const PlannedOp& planned) { return planned.op.pipe == kL1Pipe; });
}

/// Returns true if the body is only fixed times, or one piece of work.
bool is_one_piece(const std::vector<PlannedOp>& body) {
  const auto is_fixed = [](const PlannedOp& planned) { return planned.op.kind == OpCode::compute; };
  return !body.empty() &&
         (std::all_of(body.begin(), body.end(), is_fixed) || (body.size() == 1 && is_work(body[0].op.kind)));
}

StepTime cycles(std::uint64_t count) { return {Decimal::whole(count), StepTime::Unit::cycles}; }

class Flattener {
 public:
  Flattener(const Kernel& kernel, const DeviceSpec& device, const BarrierNames& barriers, std::uint32_t thread,
            std::size_t first_op, std::size_t part)
      : kernel_(kernel),
        device_(device),
        barriers_(barriers),
        thread_(thread),
        lanes_(lanes_of(kernel, thread)),
        first_op_(first_op),
        part_(part),
        counts_(2 * std::size_t{barriers.size()} + kPrecedenceKinds, 0) {}

  std::vector<PlannedOp> run() {
    walk(kernel_.program, true);
    if (has_loads_) add(OpCode::wait_memory, {});
    add(OpCode::end, {});
    return std::move(planned_);
  }

 private:
  /// A body that this thread does not execute is only counted.
  void walk(const Program& program, bool executes) {
    for (const Step& step : program) {
      line_ = step.line;
      const std::uint32_t number = steps_++;
      if (const auto* only = std::get_if<Only>(&step)) {
        walk(only->body, executes && includes(*only, thread_));
      } else if (const auto* loop = std::get_if<Loop>(&step)) {
        walk_loop(*loop, executes);
      } else if (const auto* tiles = std::get_if<Tiles>(&step)) {
        walk_tiles(*tiles, number);
      } else if (executes) {
        number_ = number;
        std::visit([this](const auto& s) { walk_step(s); }, static_cast<const Step::variant&>(step));
      }
    }
  }

  void walk_step(const Compute& step) { add(OpCode::compute, {{step.time, {}, 1}}); }
  void walk_step(const IssueSlots& step) {
    std::vector<PipeCycles> works{{kIssueSlots, step.slots}};
    if (!step.by_kind.empty()) works = works_of(step.by_kind, device_, kernel_.sub_group);
    if (!step.l1.empty()) works.insert(works.begin(), {kL1Pipe, l1_cycles_of(step.l1, *device_.l1)});
    if (kernel_.dependence && !step.by_kind.empty())
      if (const auto chain = chain_cycles_of(step.by_kind, device_, *kernel_.dependence))
        works.insert(works.begin(), {kChain, *chain});
    const CostRounding rounding = step.by_kind.empty() ? CostRounding::each : CostRounding::together_up;
    for (const PipeCycles& work : works) {
      const bool is_last = &work == &works.back();
      add(!is_last            ? OpCode::part
          : works.size() == 1 ? OpCode::issue
                              : OpCode::issue_parts,
          {{work.cycles, {}, 1, work.pipe == kL1Pipe ? CostRounding::together_up : rounding}});
      planned_.back().op.pipe = work.pipe;
      if (is_last) planned_.back().op.parts = static_cast<std::uint32_t>(works.size() - 1);
    }
    if (!step.l1.empty() && !device_.l1->latency.amount.is_zero()) add(OpCode::compute, {{device_.l1->latency, {}, 1}});
  }
  void walk_step(const Memory& step) {
    if (is_store(step)) {
      add_memory(OpCode::store, step.bytes, 1);
      planned_.back().op.awaits_stores = has_step<Fence>(kernel_.program);
    } else {
      add_memory(step.is_asynchronous ? OpCode::load : OpCode::memory, step.bytes, 1);
      has_loads_ = has_loads_ || step.is_asynchronous;
    }
    planned_.back().op.written = written_bytes(step, device_);
    planned_.back().op.unmerged = unmerged_bytes(step, device_, kernel_.sub_group);
    planned_.back().op.multicast = step.multicast;
  }
  void walk_step(const WaitMemory& step) {
    add(OpCode::wait_memory, {});
    planned_.back().op.outstanding = step.outstanding;
  }
  void walk_step(const Fence&) {
    add(OpCode::wait_memory, {});
    if (has_store(kernel_.program)) {
      add(OpCode::wait_memory, {});
      planned_.back().op.awaits_stores = true;
    }
    if (const auto latency = fence_latency(device_)) add(OpCode::compute, {{*latency, {}, 1}});
  }
  void walk_step(const Slm& step) {
    const SlmAccess& slm = *device_.slm_access;
    const std::uint64_t each = cycles_per_access(slm, lanes_, step.stride, step.bytes);
    add(OpCode::slm, {{cycles(each * step.accesses), {}, 1}});
    if (!slm.latency.amount.is_zero()) add(OpCode::compute, {{slm.latency, {}, 1}});
  }
  void walk_step(const Atomic& step) {
    const std::uint64_t lanes = lanes_;
    if (step.space == AtomicSpace::slm) {
      const StepTime each = cycles_per_slm_atomic(*device_.slm_access, *device_.atomics.slm, lanes_, step.addresses);
      add(OpCode::slm, {{each, {}, step.accesses}});
      const StepTime& latency = device_.slm_access->latency;
      if (!latency.amount.is_zero()) add(OpCode::compute, {{latency, {}, 1}});
      return;
    }
    constexpr std::uint64_t word = 4;  // bytes
    const Bytes each{static_cast<std::int64_t>(std::min(lanes, step.addresses) * word)};
    add_memory(OpCode::memory, each, step.accesses);
    StepTime serialized = cycles_of_global_atomics(device_.atomics, step.accesses * lanes, step.addresses,
                                                   step.type == AtomicType::floating);
    const auto time = resolve(serialized, clock_of(device_), Decimal::whole(1));
    if (time && time->count == 0) serialized = {Decimal::whole(1), StepTime::Unit::picoseconds};
    add(OpCode::atomics, {{serialized, {}, 1}});
  }
  void walk_step(const Barrier& step) { add_barrier_op(OpCode::barrier, step.name); }
  void walk_step(const Signal& step) { add_barrier_op(OpCode::signal, step.name, step.index); }
  void walk_step(const Wait& step) {
    add_barrier_op(OpCode::wait, step.name, step.index);
    if (!step.index && barriers_.some_pass_initially())
      planned_.back().op.count = initially_passed(kernel_.program, step.name);
  }
  void walk_step(const GridBarrier& step) {
    add(OpCode::grid_barrier, {{step.cost, {}, 1}});
    Op& op = planned_.back().op;
    op.barrier = *barriers_.grid();
    op.before = count_of(op)++;
  }
  void walk_step(const Trigger&) { add(OpCode::trigger, {}); }
  void walk_step(const WaitDependencies&) {
    add(OpCode::wait_dependencies, {});
    planned_.back().op.barrier = *barriers_.dependencies();
  }
  void walk_step(const LaunchChild& step) {
    add(OpCode::launch, {});
    Op& op = planned_.back().op;
    op.child = children_++;
    op.barrier = barriers_.size() + op.child;
    op.awaits_child = step.wait == ChildWait::yes;
  }
  void walk_step(const Tiles&) {}
  void walk_step(const Loop&) {}
  void walk_step(const Only&) {}

  void walk_loop(const Loop& loop, bool executes) {
    const std::size_t begin = planned_.size();
    const std::size_t depth = depth_++;
    walk(loop.body, executes && loop.count > 0);
    --depth_;
    const std::span body = std::span(planned_).subspan(begin);
    if (body.empty()) return;
    if (is_one_piece({body.begin(), body.end()})) return collapse(begin, loop.count);
    if (is_one_issue({body.begin(), body.end()})) return repeat(body, loop.count);
    count_iterations(body, depth, loop.count);
    add(OpCode::loop_end, {});
    Op& op = planned_.back().op;
    op.depth = static_cast<std::uint8_t>(depth);
    op.target = static_cast<std::uint32_t>(first_op_ + begin);
    op.count = loop.count;
  }

  /// Adds the barrier of all threads, if there is one; the take; the ops of each body, one after the other; and the
  /// cost of a take that finds no tile. In a body, memory, issue and SLM steps are counted from its beginning.
  void walk_tiles(const Tiles& tiles, std::uint32_t number) {
    const std::uint32_t line = line_;
    const auto add_here = [&](OpCode kind, Cost cost) -> PlannedOp& {
      number_ = number;
      line_ = line;
      add(kind, std::move(cost));
      planned_.back().op.tiles = tile_steps_;
      return planned_.back();
    };
    const auto head = static_cast<std::uint32_t>(first_op_ + planned_.size());
    const auto tile_barrier = barriers_.tile_barrier(tile_steps_);
    if (tile_barrier) {
      Op& op = add_here(OpCode::barrier, {}).op;
      op.barrier = *tile_barrier;
      op.before = count_of(op)++;
    }
    add_here(OpCode::take_tile, {});
    const std::uint32_t first_step = steps_;
    const std::vector<std::uint64_t> tiles_of = tiles_by_body(tiles);
    for (std::size_t body = 0; body < tiles.body_count(); ++body) {
      const std::vector<std::uint64_t> before = counts_;
      std::fill(counts_.end() - kPrecedenceKinds, counts_.end(), 0);
      steps_ = first_step;
      add_here(OpCode::tile_cost, {{tiles.cost, {}, 1}});
      const std::size_t begin = planned_.size();
      is_in_tile_ = true;
      walk(tiles.body_of(body), true);
      is_in_tile_ = false;
      for (PlannedOp& planned : std::span(planned_).subspan(begin))
        if (has_precedence(planned.op.kind)) planned.op.before += part_ % 2;
      PlannedOp& end = add_here(OpCode::tile_end, {});
      end.op.target = head;
      end.op.count = tiles_of[body];
      for (std::uint32_t i = 0; i < arrivals_at(barriers_.size()); ++i)
        if (counts_[i] != before[i]) end.phases.push_back({i, counts_[i] - before[i]});
      if (tile_barrier) end.phases.push_back({arrivals_at(*tile_barrier), 1});
      counts_ = before;
    }
    add_here(OpCode::tile_cost, {{tiles.cost, {}, 1}});
    ++tile_steps_;
  }

  /// What a body does once, the loop does `count` times. Only barriers of the body are visited: a program may have
  /// many.
  void count_iterations(std::span<PlannedOp> body, std::size_t depth, std::uint64_t count) {
    std::unordered_map<std::size_t, std::uint64_t> before;  // by index of the count: where the body began
    for (const PlannedOp& planned : body)
      if (is_counted(planned.op.kind)) before.emplace(count_index(planned.op), planned.op.before);
    for (PlannedOp& planned : body)
      if (is_counted(planned.op.kind))
        planned.op.per_iteration[depth] = count_of(planned.op) - before.at(count_index(planned.op));
    if (depth == 0 && !is_in_tile_)
      for (PlannedOp& planned : body)
        if (has_precedence(planned.op.kind)) planned.op.before += part_ % 2;
    for (const auto& [index, first] : before) counts_[index] = first + (counts_[index] - first) * count;
  }

  /// Replaces the ops from `begin` on by one, and lets it stand for `count` of it.
  void collapse(std::size_t begin, std::uint64_t count) {
    Cost cost;
    for (std::size_t i = begin; i < planned_.size(); ++i)
      std::move(planned_[i].cost.begin(), planned_[i].cost.end(), std::back_inserter(cost));
    planned_.resize(begin + 1);
    planned_[begin].cost = std::move(cost);
    repeat(std::span(planned_).subspan(begin), count);
  }

  /// Lets each op stand for `count` of it.
  static void repeat(std::span<PlannedOp> ops, std::uint64_t count) {
    for (PlannedOp& planned : ops) {
      for (CostPart& part : planned.cost)
        if (__builtin_mul_overflow(part.times, count, &part.times)) part.times = kTooMany;
      planned.op.is_repeated = planned.op.is_repeated || count > 1;
    }
  }

  void add(OpCode kind, Cost cost) {
    PlannedOp planned;
    planned.op.kind = kind;
    planned.op.step = number_;
    planned.op.line = line_;
    planned.cost = std::move(cost);
    if (has_precedence(kind)) planned.op.before = count_of(planned.op)++;
    planned_.push_back(std::move(planned));
  }

  void add_memory(OpCode kind, Bytes chunk, std::uint64_t times) {
    add(kind, {{std::nullopt, chunk, times}});
    Op& op = planned_.back().op;
    op.chunk = chunk.count;
  }

  void add_barrier_op(OpCode kind, const std::string& name, FlagIndex flag = {}) {
    add(kind, {});
    Op& op = planned_.back().op;
    op.barrier = flag ? barriers_.at(FlagName(name, *flag)) : barriers_.at(name);
    op.is_of_flag = flag.has_value();
    op.before = count_of(op)++;
  }

  static bool is_counted(OpCode kind) { return is_arrival(kind) || kind == OpCode::wait || has_precedence(kind); }
  /// Arrivals are counted separately from waits, and steps with precedence by the resource that they share.
  std::size_t count_index(const Op& op) const {
    if (has_precedence(op.kind))
      return 2 * std::size_t{barriers_.size()} + (is_memory(op.kind) ? 0 : op.kind == OpCode::slm ? 2 : 1);
    return op.kind == OpCode::wait ? waits_at(op.barrier) : arrivals_at(op.barrier);
  }
  std::uint64_t& count_of(const Op& op) { return counts_[count_index(op)]; }

  static constexpr std::uint64_t kTooMany = ~std::uint64_t{0};
  static constexpr std::ptrdiff_t kPrecedenceKinds = 3;  ///< kinds of steps with precedence: memory, issue, SLM

  const Kernel& kernel_;
  const DeviceSpec& device_;
  const BarrierNames& barriers_;  ///< besides those for children
  std::uint32_t thread_;
  std::uint32_t lanes_;  ///< lanes of the thread with a work-item
  std::size_t first_op_;
  std::size_t part_;
  std::vector<PlannedOp> planned_;
  /// By barrier: past arrivals and waits of a thread, iterations of loops around them counted once; then its memory
  /// steps, asynchronous or not, its issue steps, and its SLM steps.
  std::vector<std::uint64_t> counts_;
  std::uint32_t children_ = 0;    ///< so far
  std::uint32_t tile_steps_ = 0;  ///< so far
  bool is_in_tile_ = false;
  bool has_loads_ = false;  ///< the thread has begun an asynchronous load
  std::size_t depth_ = 0;
  std::uint32_t steps_ = 0;
  std::uint32_t number_ = 0;
  std::uint32_t line_ = 0;
};

}  // namespace

std::optional<std::int64_t> amount_of(const Cost& cost, Hertz clock, const Decimal& factor, const Decimal& more) {
  std::int64_t sum = 0;
  for (const CostPart& part : cost) {
    std::optional<std::int64_t> amount;
    const bool is_together = !part.time || part.rounding == CostRounding::together_up;
    if (part.time && is_together) {
      if (const auto time = resolve_up(*part.time, part.times, clock, factor, more)) amount = time->count;
    } else if (part.time) {
      if (const auto time = resolve(*part.time, clock, factor, more)) amount = time->count;
    } else {
      amount = round_product(
          {Decimal::whole(static_cast<std::uint64_t>(part.bytes.count)), Decimal::whole(part.times), factor, more});
    }
    const std::uint64_t times = is_together ? 1 : part.times;
    std::int64_t all = 0;
    if (!amount || times > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
        __builtin_mul_overflow(*amount, static_cast<std::int64_t>(times), &all) ||
        __builtin_add_overflow(sum, all, &sum))
      return std::nullopt;
  }
  return sum;
}

std::vector<PlannedOp> flatten(const Kernel& kernel, const DeviceSpec& device, const BarrierNames& barriers,
                               std::uint32_t thread, std::size_t first_op, std::size_t part) {
  return Flattener(kernel, device, barriers, thread, first_op, part).run();
}

}  // namespace gdsim
