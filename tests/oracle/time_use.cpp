#include "oracle/time_use.hpp"

#include <gdsim/base/decimal.hpp>

namespace gdsim::oracle {
namespace {

using Parts = std::array<Int128, 7>;

std::string row(std::size_t core, std::size_t kernel, const Parts& parts) {
  std::string line = std::to_string(core) + "," + std::to_string(kernel);
  for (const Int128 part : parts) line += "," + to_text(part);
  return line + "\n";
}

bool is_in_memory(const Thread& thread) {
  switch (thread.state) {
    case Thread::State::busy: return thread.is_answered_then;
    case Thread::State::sharing:
      return thread.works.empty() && (thread.share.kind == Shared::memory || thread.share.kind == Shared::atomics);
    case Thread::State::loading:
    case Thread::State::storing: return true;
    default: return false;
  }
}

std::size_t part_of(const Thread& thread) {
  if (thread.is_running()) return is_in_memory(thread) ? 4 : 0;
  if (thread.state == Thread::State::ended) return 3;
  return thread.child ? 2 : 1;
}

}  // namespace

void TimeSpent::take_down(World& world, Time now) {
  count_elapsed(world);
  const Time elapsed = now - until_;
  until_ = now;
  if (elapsed == 0 || !world.has_device) return;
  world.for_each_resident([&](Group& group, Thread& thread) {
    const auto kernel = index_of(world.launch(group.launch).as_kernel().kernel);
    elapsed_[{thread.core, kernel}][part_of(thread)] += elapsed;
  });
}

void TimeSpent::count_elapsed(const World& world) {
  if (world.end < until_) return;
  for (const auto& [place, parts] : elapsed_)
    for (std::size_t i = 0; i < parts.size(); ++i) spent_[place][i] += parts[i];
  elapsed_.clear();
}

void TimeSpent::add_to(World& world, ByPlace& sums) {
  count_elapsed(world);
  for (auto [place, parts] : spent_) {
    std::map<Shared, Int128>& waited = world.waited[place];
    parts[5] = waited[Shared::issue];
    parts[6] = waited[Shared::slm];
    parts[0] -= parts[5] + parts[6];
    for (std::size_t i = 0; i < parts.size(); ++i) sums[place][i] += parts[i];
  }
}

std::string time_spent_csv(const TimeSpent::ByPlace& spent) {
  std::string text;
  for (const auto& [place, parts] : spent) text += row(place.first, place.second, parts);
  return text;
}

std::string time_spent_csv(const RunRecord& record) {
  std::map<std::pair<std::size_t, std::size_t>, Parts> spent;
  for (const CoreTimeUse& one : record.time_use) {
    if (one.use.sum() == 0) continue;
    Parts& parts = spent[{index_of(one.core), index_of(one.kernel)}];
    parts[0] += one.use.spent_on(Activity::executing);
    parts[1] += one.use.spent_on(Activity::barrier);
    parts[2] += one.use.spent_on(Activity::child);
    parts[3] += one.use.spent_on(Activity::held);
    for (const Activity kind : {Activity::access, Activity::memory}) parts[4] += one.use.spent_on(kind);
    parts[5] += one.use.spent_on(Activity::issue);
    parts[6] += one.use.spent_on(Activity::slm);
  }
  std::string text;
  for (const auto& [place, parts] : spent) text += row(place.first, place.second, parts);
  return text;
}

}  // namespace gdsim::oracle
