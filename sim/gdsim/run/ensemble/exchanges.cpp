#include <gdsim/run/ensemble/exchanges.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <bit>

namespace gdsim {
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
  const Collective& what = collectives_[collective];
  for (std::size_t i = 0; i < what.devices.size(); ++i) parts.push_back({number_of(what.devices[i]), what.launches[i]});
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
    transfer.of = collective;
    transfers_.begin(now, transfer);
  }
  return true;
}

Exchanges::Ends Exchanges::advance(SimTime now) {
  Ends ends;
  for (const std::uint64_t of : transfers_.advance(now)) {
    if (of >= collectives_.size()) {
      ends.copies.push_back(copies_[of - collectives_.size()]);
    } else if (--progress_[of].transfers == 0 && !begin_round(now, of)) {
      const std::vector<Part> parts = parts_of(of);
      ends.exchanges.insert(ends.exchanges.end(), parts.begin(), parts.end());
    }
  }
  return ends;
}

}  // namespace gdsim
