#include <gdsim/import/ptx/access_shape.hpp>

#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

constexpr std::uint32_t kBanks = 32;
constexpr std::uint64_t kWordBytes = 4;

bool is_active(std::uint32_t active, std::uint32_t lane) { return ((active >> lane) & 1) != 0; }

/// Returns true if each active lane has the same address as its partner, unless the partner is inactive.
bool are_pairs(const LaneValues& addresses, std::uint32_t active, std::uint32_t distance) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (is_active(active, lane) && is_active(active, lane ^ distance) &&
        addresses.bits[lane] != addresses.bits[lane ^ distance])
      return false;
  return true;
}

/// The maximum, over banks, of different words that the lanes from `begin` to `end` request from one bank.
std::uint32_t cycles_of_part(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                             std::uint32_t begin, std::uint32_t end) {
  std::array<std::uint64_t, kLanes * 4> words{};
  std::size_t count = 0;
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    if (!is_active(active, lane)) continue;
    const std::uint64_t first = addresses.bits[lane] / kWordBytes;
    const std::uint64_t last = (addresses.bits[lane] + bytes - 1) / kWordBytes;
    for (std::uint64_t word = first; word <= last && count < words.size(); ++word) words[count++] = word;
  }
  std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
  std::array<std::uint32_t, kBanks> of_bank{};
  std::uint32_t max_words = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || words[i] != words[i - 1]) max_words = std::max(max_words, ++of_bank[words[i] % kBanks]);
  return max_words;
}

}  // namespace

void sectors_of(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                std::vector<std::uint64_t>& sectors) {
  sectors.clear();
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!is_active(active, lane)) continue;
    const std::uint64_t last = (addresses.bits[lane] + bytes - 1) / kSectorBytes;
    for (std::uint64_t sector = addresses.bits[lane] / kSectorBytes; sector <= last; ++sector)
      if (sectors.empty() || sectors.back() != sector) sectors.push_back(sector);
  }
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

std::uint32_t whole_sectors_of(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                               const std::vector<std::uint64_t>& sectors) {
  std::vector<std::uint32_t> accessed(sectors.size(), 0);  // a bit for each byte
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!is_active(active, lane)) continue;
    for (std::uint64_t byte = addresses.bits[lane]; byte < addresses.bits[lane] + bytes; ++byte) {
      const auto at = std::lower_bound(sectors.begin(), sectors.end(), byte / kSectorBytes) - sectors.begin();
      accessed[static_cast<std::size_t>(at)] |= std::uint32_t{1} << (byte % kSectorBytes);
    }
  }
  return static_cast<std::uint32_t>(std::count(accessed.begin(), accessed.end(), ~std::uint32_t{0}));
}

std::uint32_t lines_of(const std::vector<std::uint64_t>& sectors) {
  constexpr std::uint64_t per_line = kLineBytes / kSectorBytes;
  std::uint32_t lines = 0;
  for (std::size_t i = 0; i < sectors.size(); ++i)
    if (i == 0 || sectors[i] / per_line != sectors[i - 1] / per_line) ++lines;
  return lines;
}

std::uint32_t bank_cycles(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes, bool is_load) {
  std::uint32_t part = kLanes;
  if (bytes > kWordBytes) part = bytes > 2 * kWordBytes ? kLanes / 4 : kLanes / 2;
  if (part < kLanes && is_load && (are_pairs(addresses, active, 1) || are_pairs(addresses, active, 2))) part *= 2;
  std::uint32_t cycles = 0;
  for (std::uint32_t begin = 0; begin < kLanes; begin += part)
    cycles += cycles_of_part(addresses, active, bytes, begin, begin + part);
  return cycles;
}

}  // namespace gdsim
