#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace gdsim {
namespace {

/// The name of the barrier of this step; null if it has none.
const std::string* barrier_name(const Step& step) {
  if (const auto* barrier = std::get_if<Barrier>(&step)) return &barrier->name;
  if (const auto* signal = std::get_if<Signal>(&step)) return &signal->name;
  if (const auto* wait = std::get_if<Wait>(&step)) return &wait->name;
  return nullptr;
}

/// Counts the outstanding loads of a thread, up to one more than is allowed.
class Outstanding {
 public:
  explicit Outstanding(std::uint32_t thread) : thread_(thread) {}

  std::uint64_t max() const { return max_; }

  void pass(const Program& program) {
    for (const Step& step : program) {
      if (const auto* memory = std::get_if<Memory>(&step)) now_ += memory->is_asynchronous ? 1 : 0;
      if (const auto* wait = std::get_if<WaitMemory>(&step)) now_ = std::min(now_, wait->outstanding);
      now_ = std::min(now_, kMaxOutstanding + 1);
      max_ = std::max(max_, now_);
      if (const auto* loop = std::get_if<Loop>(&step)) pass_loop(*loop);
      if (const auto* only = std::get_if<Only>(&step); only != nullptr && includes(*only)) pass(only->body);
    }
  }

 private:
  /// As soon as an iteration leaves as many as it found, so do all that follow.
  void pass_loop(const Loop& loop) {
    std::uint64_t before = 0;
    std::uint64_t done = 0;
    do {
      before = now_;
      pass(loop.body);
    } while (++done < loop.count && now_ != before);
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
  std::unordered_set<std::string_view> known;  // of the program, which does not change meanwhile
  for_each_step(program, [&](const Step& step) {
    const std::string* name = barrier_name(step);
    if (name != nullptr && known.insert(*name).second) names.push_back(*name);
  });
  return names;
}

bool has_instructions_by_kind(const Program& program) {
  bool found = false;
  for_each_step(program, [&](const Step& step) {
    const auto* issue = std::get_if<IssueSlots>(&step);
    found = found || (issue != nullptr && !issue->by_kind.empty());
  });
  return found;
}

bool has_barrier(const Program& program) {
  bool found = false;
  for_each_step(program, [&](const Step& step) { found = found || barrier_name(step) != nullptr; });
  return found;
}

}  // namespace gdsim
