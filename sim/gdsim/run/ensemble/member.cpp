#include <gdsim/run/ensemble/member.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {

void ResidentSum::take(const std::vector<std::vector<ResidentChange>*>& changes, SimTime until) {
  // The next change of a device before `until`, or null.
  const auto next_of = [&](std::size_t i) -> const ResidentChange* {
    if (taken_[i] == changes[i]->size()) return nullptr;
    const ResidentChange& next = (*changes[i])[taken_[i]];
    return next.since < until ? &next : nullptr;
  };
  while (true) {
    std::optional<SimTime> first;
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (const ResidentChange* next = next_of(i); next != nullptr && (!first || next->since < *first))
        first = next->since;
    if (!first) break;
    for (std::size_t i = 0; i < changes.size(); ++i)
      for (const ResidentChange* next = next_of(i); next != nullptr && next->since == *first; next = next_of(i)) {
        sum_ = sum_ - now_[i] + next->threads;
        now_[i] = next->threads;
        ++taken_[i];
      }
    peak_ = std::max(peak_, sum_);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (2 * taken_[i] < changes[i]->size()) continue;
    changes[i]->erase(changes[i]->begin(), changes[i]->begin() + static_cast<std::ptrdiff_t>(taken_[i]));
    taken_[i] = 0;
  }
}

Member::Member(const CompiledParts& parts, const InternalRunOptions& options, const LaunchOwners& owners,
               std::uint32_t number)
    : owners_(owners),
      number_(number),
      run_(parts, options),
      model_(run_.model()),
      broadcast_(model_, run_.listeners(), options.stop),
      stop_(options.stop) {
  for (std::size_t i = 0; i < owners.count(); ++i)
    if (others_wait_for(static_cast<LaunchId>(i))) ++awaited_left_;
  find_next();
}

bool Member::others_wait_for(LaunchId launch) const {
  return index_of(launch) < owners_.count() && owners_.owner_of(launch) == number_ && !owners_.waiting(launch).empty();
}

void Member::find_next() {
  if (is_in_instant_) return;
  if (is_done()) {
    next_ = kEndOfTime;
  } else {
    next_ = model().state().events.instant_is_over() ? model().next_time_or(kEndOfTime) : model().now();
  }
}

std::uint64_t Member::run_until(SimTime horizon, std::uint64_t max_instants) {
  std::uint64_t count = 0;
  while (next_ < horizon && count < max_instants) {
    ++count;
    if (awaited_left_ > 0) {
      begin();
      if (!handle_alone()) break;
      end();
    } else {
      model().next_instant([this](std::uint64_t events) { return gives_up(events); });
      report();
    }
    if (model().gave_to_links() || stop_.stop_requested()) break;
  }
  return count;
}

bool Member::handle_alone() {
  const std::uint64_t before = model().events();
  while (has_rank()) {
    if (turns_ > 0 && awaited_left_ > 0) return false;
    if (gives_up(model().events() - before)) return true;
    handle();
    const auto facts = model().launch_facts();
    for (std::size_t i = facts_seen_; i < facts.size(); ++i)
      if (facts[i].kind == LaunchFact::Kind::ended && others_wait_for(facts[i].launch)) return false;
  }
  return true;
}

void Member::begin() {
  model().begin_instant();
  is_in_instant_ = true;
  facts_seen_ = turns_ = 0;
}

std::uint64_t Member::handle() {
  const GpuQueue::Batch batch = model().state().events.pop_rank();
  if (batch.rank == static_cast<std::size_t>(Rank::turn_is_taken)) ++turns_;
  const std::size_t events = batch.events.size();
  model().handle(batch);
  return events;
}

void Member::end() {
  model().end_instant();
  report();
}

void Member::report() {
  broadcast_.report();
  if (run_.resident() != resident_) changes_.push_back({model().now(), run_.resident()});
  resident_ = run_.resident();
  is_in_instant_ = false;
  find_next();
}

}  // namespace gdsim
