#include <gdsim/run/ensemble/member.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <bit>
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
      model().next_instant([this] { return broadcast_.stop_requested(); });
      report();
    }
    if (model().has_work_for_links() || stop_.stop_requested()) break;
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
      if (facts[i].kind == LaunchFact::Event::ended && others_wait_for(facts[i].launch)) return false;
  }
  return true;
}

void Member::begin() {
  model().begin_instant();
  is_in_instant_ = true;
  facts_seen_ = turns_ = 0;
}

std::uint64_t Member::handle() {
  const ModelEventQueue::Batch batch = model().state().events.pop_rank();
  if (batch.rank == static_cast<std::size_t>(Rank::turn_is_taken)) ++turns_;
  const std::size_t events = batch.events.size();
  model().handle_rank(batch);
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

namespace {

std::vector<ExchangeRound> ring_rounds(const Collective& collective) {
  const std::size_t count = collective.devices.size();
  const auto members = static_cast<std::int64_t>(count);
  const Bytes part{(collective.bytes.count + members - 1) / members};
  ExchangeRound round;
  for (std::size_t i = 0; i < count; ++i)
    round.push_back({number_of(collective.devices[i]), number_of(collective.devices[(i + 1) % count]), part, 0});
  const std::size_t passes = collective.kind == CollectiveKind::all_reduce ? 2 : 1;
  return std::vector<ExchangeRound>(passes * (count - 1), round);
}

/// Returns the rounds of a tree from the deepest level up to the first device.
std::vector<ExchangeRound> rounds_up(const Collective& collective) {
  const std::size_t count = collective.devices.size();
  const auto level_of = [](std::size_t i) { return static_cast<std::size_t>(std::bit_width(i + 1)); };
  std::vector<ExchangeRound> rounds;
  for (std::size_t level = level_of(count - 1); level > 1; --level) {
    ExchangeRound& round = rounds.emplace_back();
    for (std::size_t i = 1; i < count; ++i)
      if (level_of(i) == level)
        round.push_back(
            {number_of(collective.devices[i]), number_of(collective.devices[(i - 1) / 2]), collective.bytes, 0});
  }
  return rounds;
}

std::vector<ExchangeRound> tree_rounds(const Collective& collective) {
  const std::vector<ExchangeRound> up = rounds_up(collective);
  std::vector<ExchangeRound> rounds;
  if (collective.kind == CollectiveKind::all_reduce) rounds = up;
  for (auto level = up.rbegin(); level != up.rend(); ++level) {
    rounds.push_back(*level);
    for (LinkTransfers::Transfer& transfer : rounds.back()) std::swap(transfer.from, transfer.to);
  }
  return rounds;
}

}  // namespace

std::vector<ExchangeRound> exchange_rounds(const Collective& collective) {
  if (collective.devices.size() < 2) return {};
  return collective.algorithm == CollectiveAlgorithm::ring ? ring_rounds(collective) : tree_rounds(collective);
}

Exchanges::Exchanges(std::span<const DeviceLink> links, std::span<const Collective> collectives)
    : collectives_(collectives), transfers_(links), progress_(collectives.size()) {
  for (std::size_t i = 0; i < collectives.size(); ++i)
    for (const LaunchId launch : collectives[i].launches) collective_of_.emplace(launch, i);
}

void Exchanges::begin_copy(SimTime now, const Part& part, std::uint32_t to, Bytes bytes) {
  copies_.push_back(part);
  transfers_.begin(now, {part.device, to, bytes, collectives_.size() + copies_.size() - 1});
}

std::vector<Exchanges::Part> Exchanges::parts_of(std::size_t collective) const {
  std::vector<Part> parts;
  const Collective& definition = collectives_[collective];
  for (std::size_t i = 0; i < definition.devices.size(); ++i)
    parts.push_back({number_of(definition.devices[i]), definition.launches[i]});
  return parts;
}

void Exchanges::arrive(SimTime now, const Part& part) {
  const std::size_t collective = collective_of_.at(part.launch);
  Progress& progress = progress_[collective];
  if (++progress.arrived < collectives_[collective].devices.size()) return;
  progress.rounds = exchange_rounds(collectives_[collective]);
  GDSIM_CHECK(begin_round(now, collective), "a collective has nothing to exchange");
}

bool Exchanges::begin_round(SimTime now, std::size_t collective) {
  Progress& progress = progress_[collective];
  if (progress.round == progress.rounds.size()) return false;
  const ExchangeRound& round = progress.rounds[progress.round++];
  progress.transfers = round.size();
  for (LinkTransfers::Transfer transfer : round) {
    transfer.tag = collective;
    transfers_.begin(now, transfer);
  }
  return true;
}

Exchanges::Ends Exchanges::advance(SimTime now) {
  Ends ends;
  for (const std::uint64_t tag : transfers_.advance(now)) {
    if (tag >= collectives_.size()) {
      ends.copies.push_back(copies_[tag - collectives_.size()]);
    } else if (--progress_[tag].transfers == 0 && !begin_round(now, tag)) {
      const std::vector<Part> parts = parts_of(tag);
      ends.exchanges.insert(ends.exchanges.end(), parts.begin(), parts.end());
    }
  }
  return ends;
}

}  // namespace gdsim
