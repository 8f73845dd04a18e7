#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

namespace gdsim {
namespace {

/// Returns the name of the barrier, or of the flag, of this step; null if the step has none.
const std::string* name_in(const Step& step) {
  if (const auto* barrier = std::get_if<Barrier>(&step)) return &barrier->name;
  if (const auto* signal = std::get_if<Signal>(&step)) return &signal->name;
  if (const auto* wait = std::get_if<Wait>(&step)) return &wait->name;
  return nullptr;
}

FlagIndex flag_index(const Step& step) {
  if (const auto* signal = std::get_if<Signal>(&step)) return signal->index;
  if (const auto* wait = std::get_if<Wait>(&step)) return wait->index;
  return std::nullopt;
}

/// Returns the name of the barrier of this step; null if the step has none.
const std::string* barrier_name(const Step& step) { return flag_index(step) ? nullptr : name_in(step); }

bool are_same_kinds(const IssueSlots& a, const IssueSlots& b) {
  return std::equal(a.by_kind.begin(), a.by_kind.end(), b.by_kind.begin(), b.by_kind.end(),
                    [](const InstructionCount& one, const InstructionCount& other) { return one.kind == other.kind; });
}

bool are_same_accesses(const IssueSlots& a, const IssueSlots& b) {
  return std::equal(a.l1.begin(), a.l1.end(), b.l1.begin(), b.l1.end(), [](const L1Access& one, const L1Access& other) {
    return one.source_line == other.source_line && one.instruction == other.instruction &&
           one.coalesced.has_value() == other.coalesced.has_value();
  });
}

bool are_same_threads(const Only& a, const Only& b) {
  return std::equal(a.threads.begin(), a.threads.end(), b.threads.begin(), b.threads.end(),
                    [](const ThreadRange& one, const ThreadRange& other) {
                      return one.first == other.first && one.last == other.last;
                    });
}

bool is_same_time(const StepTime& a, const StepTime& b) { return a.unit == b.unit && compare(a.amount, b.amount) == 0; }

bool are_same_tiles(const Tiles& a, const Tiles& b) {
  return a.list == b.list && a.count == b.count && a.take == b.take && a.per == b.per && is_same_time(a.cost, b.cost) &&
         a.of_tile == b.of_tile && a.others.size() == b.others.size() && have_same_steps(a.body, b.body);
}

/// Ignores counts and amounts.
bool is_same_step(const Step& a, const Step& b) {
  if (a.index() != b.index()) return false;
  if (const auto* issue = std::get_if<IssueSlots>(&a))
    return are_same_kinds(*issue, std::get<IssueSlots>(b)) && are_same_accesses(*issue, std::get<IssueSlots>(b));
  if (const auto* memory = std::get_if<Memory>(&a))
    return memory->is_asynchronous == std::get<Memory>(b).is_asynchronous &&
           is_store(*memory) == is_store(std::get<Memory>(b)) && memory->written == std::get<Memory>(b).written &&
           memory->multicast == std::get<Memory>(b).multicast;
  if (const auto* atomic = std::get_if<Atomic>(&a))
    return atomic->space == std::get<Atomic>(b).space && atomic->type == std::get<Atomic>(b).type;
  if (const auto* grid = std::get_if<GridBarrier>(&a)) return is_same_time(grid->cost, std::get<GridBarrier>(b).cost);
  if (const std::string* name = name_in(a))
    return *name == *name_in(b) && flag_index(a).has_value() == flag_index(b).has_value();
  if (const auto* child = std::get_if<LaunchChild>(&a))
    return child->kernel == std::get<LaunchChild>(b).kernel && child->wait == std::get<LaunchChild>(b).wait;
  if (const auto* tiles = std::get_if<Tiles>(&a)) return are_same_tiles(*tiles, std::get<Tiles>(b));
  if (const auto* loop = std::get_if<Loop>(&a)) return have_same_steps(loop->body, std::get<Loop>(b).body);
  if (const auto* only = std::get_if<Only>(&a))
    return are_same_threads(*only, std::get<Only>(b)) && have_same_steps(only->body, std::get<Only>(b).body);
  return true;
}

/// Counts the outstanding loads of a thread, up to one more than is allowed.
class Outstanding {
 public:
  explicit Outstanding(std::uint32_t thread) : thread_(thread) {}

  std::uint64_t max() const { return max_; }

  void pass(const Program& program) {
    for (const Step& step : program) {
      if (const auto* memory = std::get_if<Memory>(&step))
        now_ += memory->is_asynchronous && !is_store(*memory) ? 1 : 0;
      if (const auto* wait = std::get_if<WaitMemory>(&step)) now_ = std::min(now_, wait->outstanding);
      if (std::holds_alternative<Fence>(step)) now_ = 0;
      now_ = std::min(now_, kMaxOutstanding + 1);
      max_ = std::max(max_, now_);
      if (const auto* loop = std::get_if<Loop>(&step)) pass_loop(*loop);
      if (const auto* tiles = std::get_if<Tiles>(&step)) pass_tiles(*tiles);
      if (const auto* only = std::get_if<Only>(&step); only != nullptr && includes(*only)) pass(only->body);
    }
  }

 private:
  /// If an iteration leaves the number of loads unchanged, so do all later ones.
  void pass_loop(const Loop& loop) {
    if (loop.count == 0) return;
    std::uint64_t before = 0;
    std::uint64_t done = 0;
    do {
      before = now_;
      pass(loop.body);
    } while (++done < loop.count && now_ != before);
  }
  /// Tiles may follow each other in any order: the body that leaves most loads outstanding determines the number left.
  void pass_tiles(const Tiles& tiles) {
    std::uint64_t before = 0;
    std::uint64_t done = 0;
    do {
      before = now_;
      std::uint64_t left = before;
      for (std::size_t number = 0; number < tiles.body_count(); ++number) {
        now_ = before;
        pass(tiles.body_of(number));
        left = std::max(left, now_);
      }
      now_ = left;
    } while (++done < tiles.count && now_ != before);
  }
  bool includes(const Only& only) const {
    return std::any_of(only.threads.begin(), only.threads.end(),
                       [this](const ThreadRange& range) { return range.first <= thread_ && thread_ <= range.last; });
  }

  std::uint32_t thread_;
  std::uint64_t now_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace

std::uint64_t max_outstanding(const Program& program, std::uint32_t thread) {
  Outstanding outstanding(thread);
  outstanding.pass(program);
  return outstanding.max();
}

std::vector<std::string> barrier_names(const Program& program) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;  // views of the program, which does not change meanwhile
  for_each_step(program, [&](const Step& step) {
    const std::string* name = barrier_name(step);
    if (name != nullptr && known.insert(*name).second) names.push_back(*name);
  });
  return names;
}

std::uint64_t initially_passed(const Program& program, const std::string& name) {
  std::uint64_t passed = 0;
  for_each_step(program, [&](const Step& step) {
    const auto* signal = std::get_if<Signal>(&step);
    if (signal != nullptr && !signal->index && signal->name == name) passed = std::max(passed, signal->initially);
  });
  return passed;
}

std::vector<FlagName> flag_names(const Program& program) {
  std::vector<FlagName> flags;
  std::set<FlagName> known;
  for_each_step(program, [&](const Step& step) {
    const FlagIndex index = flag_index(step);
    if (index && known.emplace(*name_in(step), *index).second) flags.emplace_back(*name_in(step), *index);
  });
  return flags;
}

bool have_same_steps(const Program& a, const Program& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same_step);
}

bool has_instructions_by_kind(const Program& program) {
  return has_step_where<IssueSlots>(
      program, [](const IssueSlots& issue) { return !issue.by_kind.empty() || !issue.l1.empty(); });
}

bool has_l1_accesses(const Program& program) {
  return has_step_where<IssueSlots>(program, [](const IssueSlots& issue) { return !issue.l1.empty(); });
}

std::vector<std::uint64_t> tiles_by_body(const Tiles& tiles) {
  std::vector<std::uint64_t> counts(tiles.body_count(), 0);
  if (tiles.of_tile.empty()) counts.front() = tiles.count;
  for (const std::uint32_t body : tiles.of_tile) ++counts[body];
  return counts;
}

bool has_barrier(const Program& program) {
  bool found = false;
  for_each_step(program, [&](const Step& step) {
    const auto* tiles = std::get_if<Tiles>(&step);
    found = found || barrier_name(step) != nullptr || (tiles != nullptr && has_tile_barrier(*tiles));
  });
  return found;
}

}  // namespace gdsim
