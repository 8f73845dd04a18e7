#include "oracle/time_slices.hpp"

#include "oracle/csv.hpp"

#include <algorithm>
#include <utility>

namespace gdsim::oracle {
namespace {

constexpr std::array kUses{"running", "draining", "saving", "restoring", "waiting"};

/// Returns the time from which it holds nothing: no work-group is resident, and all stores are acknowledged.
std::optional<Time> holds_nothing_from(const World& world) {
  const bool all_ended =
      std::all_of(world.groups.begin(), world.groups.end(), [](const Group& group) { return group.ended; });
  if (!all_ended || !world.stores.empty()) return std::nullopt;
  Time from = 0;
  for (const LaunchState& launch : world.launches) from = std::max(from, launch.acknowledged);
  return from;
}

bool holds_nothing(const World& world, Time now) {
  const auto from = holds_nothing_from(world);
  return from && *from <= now;
}

}  // namespace

TimeSlices::TimeSlices(const DeviceSpec& device, const DispatchRules& rules, Worlds worlds,
                       std::vector<std::string> names)
    : device_(device),
      choice_(rules.kernel_choice),
      rule_(*rules.preemption),
      worlds_(std::move(worlds)),
      names_(std::move(names)),
      accounts_(worlds_.size()) {
  for (World* world : worlds_) world->has_device = world == worlds_.front();
}

bool TimeSlices::has_work(std::size_t process) const {
  const World& world = *worlds_[process];
  for (std::size_t id = 0; id < world.launches.size(); ++id)
    if (world.launch(id).is_kernel() && world.launches[id].ready && !world.launches[id].ended) return true;
  return false;
}

std::optional<std::size_t> TimeSlices::next_process() const {
  std::vector<std::size_t> order;
  const std::size_t first = choice_ == KernelChoice::time_sliced ? holder_ + 1 : 0;
  for (std::size_t i = first; i < worlds_.size(); ++i) order.push_back(i);
  for (std::size_t i = 0; i < first && i < worlds_.size(); ++i) order.push_back(i);
  for (const std::size_t process : order)
    if (process != holder_ && has_work(process)) return process;
  return std::nullopt;
}

bool TimeSlices::must_leave(Time now) const {
  const auto next = next_process();
  if (!next) return false;
  if (!has_work(holder_)) return true;
  if (choice_ == KernelChoice::priority) return *next < holder_;
  return now > slice_begin_ && (now - slice_begin_) % rule_.quantum->count == 0;
}

std::optional<Time> TimeSlices::next_time(Time now) const {
  if (use_ == Use::saving || use_ == Use::restoring) return switch_end_;
  if (use_ == Use::draining) {
    const auto from = holds_nothing_from(*worlds_[holder_]);
    return from && *from > now ? from : std::nullopt;
  }
  if (choice_ == KernelChoice::priority || !next_process()) return std::nullopt;
  Time end = slice_begin_;
  end += ((now - end) / rule_.quantum->count + 1) * rule_.quantum->count;
  return end;
}

void TimeSlices::time_passes(Time until) {
  const Time passed = until - std::exchange(until_, until);
  if (passed == 0) return;
  for (std::size_t process = 0; process < worlds_.size(); ++process) {
    const Use use = process == holder_ ? use_ : Use::waiting;
    if (has_work(process)) accounts_[process].used[static_cast<std::size_t>(use)] += passed;
  }
  const bool is_idle = use_ == Use::running && !has_work(holder_);
  if (is_idle) is_new_use_ = true;
  if (is_idle) return;
  if (std::exchange(is_new_use_, false))
    slices_.push_back({until - passed, until, holder_, use_, moved_.work_groups, moved_.bytes});
  slices_.back().end = until;
  for (World* world : worlds_)
    for (LaunchState& launch : world->launches) {
      const bool is_there = !launch.ended && (launch.begun || launch.copy_engine);
      if (is_there && !world->has_device) launch.suspended += passed;
    }
}

void TimeSlices::end_at(Time end) {
  const Time beyond = until_ - end;
  for (std::size_t process = 0; process < worlds_.size(); ++process)
    if (has_work(process))
      accounts_[process].used[static_cast<std::size_t>(process == holder_ ? use_ : Use::waiting)] -= beyond;
  if (!slices_.empty()) slices_.back().end = std::min(slices_.back().end, end);
  if (!slices_.empty() && slices_.back().begin >= end) slices_.pop_back();
}

void TimeSlices::stop(Time now) {
  World& world = *worlds_[holder_];
  Account& account = accounts_[holder_];
  if (has_work(holder_)) ++account.preemptions;
  world.has_device = false;
  moved_ = contexts_of(world, rule_.save);
  account.saved += moved_.work_groups;
  account.bytes_saved += moved_.bytes;
  switch_end_ = now + time_to_move(device_, rule_.save, moved_);
  use_it(Use::saving);
}

void TimeSlices::bring_back(Time now) {
  holder_ = next_process().value_or(holder_);
  moved_ = contexts_of(*worlds_[holder_], rule_.restore);
  accounts_[holder_].bytes_restored += moved_.bytes;
  switch_end_ = now + time_to_move(device_, rule_.restore, moved_);
  use_it(Use::restoring);
}

void TimeSlices::give(Time now) {
  World& world = *worlds_[holder_];
  world.has_device = true;
  world.is_drained = false;
  slice_begin_ = now;
  had_work_ = has_work(holder_);
  moved_ = {};
  use_it(Use::running);
}

bool TimeSlices::change_hands(Time now) {
  World& world = *worlds_[holder_];
  if (use_ == Use::running) {
    const bool has_work_now = has_work(holder_);
    if (has_work_now && !had_work_) slice_begin_ = now;
    had_work_ = has_work_now;
    if (!must_leave(now)) return false;
    if (rule_.of == PreemptionOf::thread || holds_nothing(world, now)) return stop(now), true;
    ++accounts_[holder_].preemptions;
    world.is_drained = true;
    moved_ = {};
    moved_.work_groups = contexts_of(world, {}).work_groups;
    return use_it(Use::draining), true;
  }
  if (use_ == Use::draining) {
    if (!holds_nothing(world, now)) return false;
    world.has_device = false;
    return bring_back(now), true;
  }
  if (now < switch_end_) return false;
  return use_ == Use::saving ? bring_back(now) : give(now), true;
}

std::string TimeSlices::slices_csv() const {
  std::string text = "start_ns,end_ns,process,use,work_groups,bytes\n";
  for (const Slice& slice : slices_)
    text += nanoseconds(slice.begin) + "," + nanoseconds(slice.end) + "," + names_[slice.process] + "," +
            kUses[static_cast<std::size_t>(slice.use)] + "," + std::to_string(slice.work_groups) + "," +
            to_text(slice.bytes) + "\n";
  return text;
}

std::string TimeSlices::json() const {
  std::string text;
  for (std::size_t process = 0; process < worlds_.size(); ++process) {
    const Account& account = accounts_[process];
    text += (process == 0 ? "    {\n" : ",\n    {\n");
    text += "      \"process\": \"" + names_[process] + "\",\n";
    for (std::size_t use = 0; use < kUses.size(); ++use)
      text += "      \"" + std::string(kUses[use]) + "_ns\": " + nanoseconds(account.used[use]) + ",\n";
    text += "      \"preemptions\": " + std::to_string(account.preemptions) + ",\n";
    text += "      \"work_groups_saved\": " + std::to_string(account.saved) + ",\n";
    text += "      \"bytes_saved\": " + to_text(account.bytes_saved) + ",\n";
    text += "      \"bytes_restored\": " + to_text(account.bytes_restored) + "\n    }";
  }
  return "  \"preemption\": [\n" + text + "\n  ]\n}\n";
}

}  // namespace gdsim::oracle
