#include <gdsim/run/ensemble/exchanges.hpp>

#include <gdsim/base/check.hpp>

namespace gdsim {

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
