#include <gdsim/run/ensemble/exchange_rounds.hpp>

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

}  // namespace gdsim
