#include <gdsim/import/ptx/access_shape.hpp>

#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

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
  std::array<std::uint64_t, kLanes * 4> words;  // the first `count` are set
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
  if (std::adjacent_find(sectors.begin(), sectors.end(), std::greater_equal<>()) == sectors.end()) return;
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

std::vector<std::uint32_t> bytes_in_sectors(const LaneValues& addresses, std::uint32_t active, std::uint32_t bytes,
                                            const std::vector<std::uint64_t>& sectors) {
  std::vector<std::uint32_t> accessed(sectors.size(), 0);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!is_active(active, lane)) continue;
    for (std::uint64_t byte = addresses.bits[lane]; byte < addresses.bits[lane] + bytes; ++byte) {
      const auto at = std::lower_bound(sectors.begin(), sectors.end(), byte / kSectorBytes) - sectors.begin();
      accessed[static_cast<std::size_t>(at)] |= std::uint32_t{1} << (byte % kSectorBytes);
    }
  }
  return accessed;
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

namespace {

/// Loads of one size from one register: offset, instruction.
using Candidates = std::map<std::uint64_t, std::uint32_t>;

/// Joins the load at `first` with the following ones, if all are there and it is aligned.
bool join(Candidates& loads, Candidates::iterator first, std::uint32_t bytes, std::uint32_t wide, const BlockLog& log,
          AccessWidths& widths) {
  constexpr std::uint32_t most = 4;  // values of a vector
  if (wide <= bytes || wide > most * bytes || (log.accesses[first->second].low_bits & (wide - 1)) != 0) return false;
  std::vector<std::uint32_t> joined;
  for (std::uint32_t at = bytes; at < wide; at += bytes) {
    const auto next = loads.find(first->first + at);
    if (next == loads.end()) return false;
    joined.push_back(next->second);
  }
  for (std::uint32_t at = bytes; at < wide; at += bytes) loads.erase(first->first + at);
  for (const std::uint32_t instruction : joined) widths[instruction] = 0;
  widths[first->second] = wide;
  return true;
}

void join_all(Candidates loads, std::uint32_t bytes, const BlockLog& log, AccessWidths& widths) {
  for (auto at = loads.begin(); at != loads.end(); at = loads.erase(at))
    for (const std::uint32_t wide : {16U, 8U, 4U})
      if (join(loads, at, bytes, wide, log, widths)) break;
}

void join_in(const PreparedKernel& kernel, const BasicBlock& block, const BlockLog& log, AccessWidths& widths) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Candidates> open;  // by register and size
  const auto close = [&](auto is_meant) {
    for (auto at = open.begin(); at != open.end();) {
      if (!is_meant(at->first.first)) {
        ++at;
        continue;
      }
      join_all(std::move(at->second), at->first.second, log, widths);
      at = open.erase(at);
    }
  };
  for (std::uint32_t number = block.begin; number < block.end; ++number) {
    const PreparedInstruction& instruction = kernel.instructions[number];
    const PtxClass& traits = instruction.traits;
    const bool is_shared = traits.space == PtxSpace::shared;
    if (is_shared && traits.role != PtxRole::load) close([](std::uint32_t) { return true; });
    for (const std::uint32_t written : instruction.destinations)
      close([&](std::uint32_t base) { return base == written; });
    const bool is_candidate =
        is_shared && traits.role == PtxRole::load && !instruction.predicate && traits.layout == PtxLayout::by_lane &&
        instruction.address.kind == ValueSource::Form::reg && traits.bytes >= 2 && traits.bytes <= 8 &&
        log.accesses[number].requests > 0 && !log.accesses[number].is_gathered;
    if (is_candidate) open[{instruction.address.index, traits.bytes}].emplace(instruction.offset, number);
  }
  close([](std::uint32_t) { return true; });
}

}  // namespace

AccessWidths widths_in_ptx(const PreparedKernel& kernel) {
  AccessWidths widths;
  for (const PreparedInstruction& instruction : kernel.instructions)
    widths.push_back(request_bytes(instruction.traits));
  return widths;
}

AccessWidths widths_joined(const PreparedKernel& kernel, const BlockLog& log) {
  AccessWidths widths = widths_in_ptx(kernel);
  for (const BasicBlock& block : kernel.flow.blocks) join_in(kernel, block, log, widths);
  return widths;
}

namespace {

constexpr std::uint64_t kMaxGroups = 256;

/// Addresses over which whole warps would be spread evenly, if the one accessed most often is accessed as often.
double even_addresses(const BlockLog& log, std::uint32_t instruction) {
  const auto items = log.atomics.find(instruction);
  if (items == log.atomics.end() || items->second.empty()) return 0;
  std::uint64_t most = 0;
  for (const auto& [address, count] : items->second) most = std::max(most, count);
  return static_cast<double>(log.accesses[instruction].requests * kLanes) / static_cast<double>(most);
}

/// Executes whole work-groups of the middle of the grid.
BlockLog followed(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t groups,
                  UnresolvedInputs& unresolved) {
  BlockLog log(kernel, widths_in_ptx(kernel), 0, ~std::uint64_t{0}, Followed::global);
  log.keeps_sectors = true;
  const std::uint64_t first = (launch.groups() - groups) / 2;
  GroupRun run(kernel, launch, log, unresolved);
  for (std::uint64_t group = first; group < first + groups; ++group) run.run(launch.position_of(group));
  return log;
}

/// Of one work-group, and of so many followed ones.
AtomicAddresses of_wave(double own, double wave, std::uint64_t groups, std::uint64_t resident) {
  constexpr double tolerance = 0.02;
  const auto is_near = [&](double a, double b) { return std::abs(a - b) <= tolerance * b; };
  AtomicAddresses result;
  double count = own;
  if (is_near(wave, own)) {
    result.origin = fmt::format("the same addresses in all of {} work-groups followed", groups);
  } else if (is_near(wave, own * static_cast<double>(groups))) {
    count = own * static_cast<double>(resident);
    result.origin = fmt::format("each of {} work-groups resident at once has {:.6g} of its own", resident, own);
  } else {
    count = own + (wave - own) * static_cast<double>(resident - 1) / static_cast<double>(groups - 1);
    result.origin =
        fmt::format("ASSUMED: as many more with each of {} work-groups as in the {} followed", resident, groups);
  }
  result.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(count)));
  return result;
}

AtomicAddresses of_global(std::uint32_t instruction, const BlockLog& log, const BlockLog& wave, std::uint64_t groups,
                          std::uint64_t resident) {
  const double own = even_addresses(log, instruction);
  const double all = even_addresses(wave, instruction);
  if (groups < 2 || all == 0) {
    AtomicAddresses result;
    result.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(own)));
    result.origin = resident < 2 ? "addresses of the only work-group"
                                 : "ASSUMED: all work-groups access those of one, which alone was followed";
    return result;
  }
  return of_wave(own, all, groups, resident);
}

AtomicAddresses of_gathered(const PtxLaunch& launch, std::uint32_t bytes) {
  AtomicAddresses result;
  if (!launch.gather_range) {
    result.reason = "has addresses that depend on data; say in how many bytes they lie, as in --gather 32:1MiB";
    return result;
  }
  result.count = std::max<std::uint64_t>(1, *launch.gather_range / std::max(1U, bytes));
  result.origin = "ASSUMED by --gather";
  return result;
}

}  // namespace

std::map<std::uint32_t, AtomicAddresses> atomic_addresses(const PreparedKernel& kernel, const PtxLaunch& launch,
                                                          const BlockLog& log, std::uint64_t resident,
                                                          UnresolvedInputs& unresolved) {
  std::map<std::uint32_t, AtomicAddresses> found;
  const std::uint64_t affordable = kMaxAtomicInstructions / std::max<std::uint64_t>(1, log.instructions);
  const std::uint64_t groups =
      std::max<std::uint64_t>(1, std::min({resident, launch.groups(), kMaxGroups, affordable}));
  std::optional<BlockLog> wave;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const AccessCounts& counts = log.accesses[i];
    if (kernel.instructions[i].traits.role != PtxRole::atomic || counts.requests == 0) continue;
    AtomicAddresses& addresses = found[i];
    if (counts.is_gathered) {
      addresses = of_gathered(launch, kernel.instructions[i].traits.bytes);
    } else if (counts.is_shared) {
      addresses.count = std::max(1U, kLanes / std::max(1U, counts.max_same));
      addresses.origin = "addresses of one request";
    } else {
      if (!wave) wave.emplace(followed(kernel, launch, groups, unresolved));
      addresses = of_global(i, log, *wave, groups, std::min(resident, launch.groups()));
    }
  }
  return found;
}

}  // namespace gdsim
