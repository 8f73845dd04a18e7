#include <gdsim/import/amd/gcn/gcn_profile.hpp>

#include <algorithm>
#include <bit>
#include <set>

namespace gdsim {
namespace {

template <class Visit>
void for_each_lane(std::uint64_t active, const Visit& visit) {
  for (; active != 0; active &= active - 1) visit(static_cast<std::uint32_t>(std::countr_zero(active)));
}

/// Returns the blocks of `size` bytes that the lanes touch, ascending, each once.
std::vector<std::uint64_t> touched_blocks(const GcnAddresses& addresses, std::uint64_t active, std::uint32_t bytes,
                                          std::uint64_t size) {
  std::vector<std::uint64_t> blocks;
  for_each_lane(active, [&](std::uint32_t lane) {
    for (std::uint64_t at = addresses[lane] / size; at <= (addresses[lane] + bytes - 1) / size; ++at)
      if (blocks.empty() || blocks.back() != at) blocks.push_back(at);
  });
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

}  // namespace

void GcnAccess::add(const GcnAccess& other) {
  requests += other.requests;
  lanes += other.lanes;
  lines += other.lines;
  coalesced += other.coalesced;
  missed += other.missed;
  misses += other.misses;
  whole += other.whole;
  bank_cycles += other.bank_cycles;
  max_same = std::max(max_same, other.max_same);
}

void GcnWaveCounts::add(const GcnWaveCounts& other) {
  for (std::size_t i = 0; i < executions.size(); ++i) {
    executions[i] += other.executions[i];
    accesses[i].add(other.accesses[i]);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i] += other.entries[i];
    iterations[i] += other.iterations[i];
  }
}

void GcnLog::on_global(std::size_t wave, std::uint32_t instruction, const GcnAddresses& addresses,
                       std::uint64_t active) {
  const GcnClass& of = program_.classes[instruction];
  GcnAccess counts;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  const std::vector<std::uint64_t> lines = touched_blocks(addresses, active, of.bytes, caches_.line);
  counts.lines = lines.size();
  counts.coalesced = std::min(counts.lines, (counts.lanes * of.bytes + caches_.line - 1) / caches_.line);
  if (of.role == GcnRole::load) count_loaded(instruction, lines, counts);
  if (of.role == GcnRole::store) count_stored(addresses, active, of.bytes, counts);
  if (of.role == GcnRole::atomic) count_atomic(instruction, addresses, active, counts);
  counts_of(wave).accesses[instruction].add(counts);
}

void GcnLog::count_loaded(std::uint32_t instruction, const std::vector<std::uint64_t>& lines, GcnAccess& counts) {
  const GcnInstruction& load = program_.kernel->instructions[instruction];
  const bool skips_l1 = load.has("glc") || load.has("sc1");
  for (const std::uint64_t line : lines) {
    if (!skips_l1 && l1_.use(line)) continue;
    counts.missed += caches_.line;
    loaded.add(line);
  }
  counts.misses = counts.missed == 0 ? 0 : 1;
}

void GcnLog::count_stored(const GcnAddresses& addresses, std::uint64_t active, std::uint32_t bytes, GcnAccess& counts) {
  std::map<std::uint64_t, std::uint32_t> written;  // by sector: a bit for each byte
  for_each_lane(active, [&](std::uint32_t lane) {
    for (std::uint64_t at = addresses[lane]; at < addresses[lane] + bytes; ++at)
      written[at / kStoreSector] |= std::uint32_t{1} << (at % kStoreSector);
  });
  for (const auto& [sector, mask] : written) {
    counts.missed += kStoreSector;
    if (mask == ~std::uint32_t{0}) ++counts.whole;
    stored.add(sector);
  }
}

void GcnLog::count_atomic(std::uint32_t instruction, const GcnAddresses& addresses, std::uint64_t active,
                          GcnAccess& counts) {
  std::map<std::uint64_t, std::uint32_t> items;
  for_each_lane(active, [&](std::uint32_t lane) { ++items[addresses[lane]]; });
  auto& all = atomics[instruction];
  for (const auto& [address, count] : items) {
    counts.max_same = std::max(counts.max_same, count);
    if (all.size() < BlockLog::kMaxKept) all[address] += count;
  }
}

void GcnLog::on_lds(std::size_t wave, std::uint32_t instruction, const std::vector<GcnAddresses>& pieces,
                    std::uint64_t active) {
  const GcnClass& of = program_.classes[instruction];
  const auto width = static_cast<std::uint64_t>(caches_.banks.bank_width.count);
  std::set<std::uint64_t> words;
  std::map<std::uint64_t, std::uint32_t> items;
  for (const GcnAddresses& addresses : pieces)
    for_each_lane(active, [&](std::uint32_t lane) {
      for (std::uint64_t at = addresses[lane] / width; at <= (addresses[lane] + of.bytes - 1) / width; ++at)
        words.insert(at);
      if (of.role == GcnRole::atomic) ++items[addresses[lane]];
    });
  std::vector<std::uint64_t> by_bank(caches_.banks.banks);
  for (const std::uint64_t word : words) ++by_bank[word % by_bank.size()];
  GcnAccess counts;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  counts.bank_cycles = *std::max_element(by_bank.begin(), by_bank.end());
  for (const auto& [address, count] : items) counts.max_same = std::max(counts.max_same, count);
  counts_of(wave).accesses[instruction].add(counts);
}

void GcnLog::on_gather(std::size_t wave, std::uint32_t instruction, std::uint64_t active, std::uint32_t sectors) {
  const GcnClass& of = program_.classes[instruction];
  GcnAccess counts;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  if (of.is_lds) {
    counts.bank_cycles = sectors;
  } else {
    counts.lines = counts.coalesced = sectors;
    counts.missed = sectors * kStoreSector;
    counts.misses = 1;
    if (of.role == GcnRole::load) gathered += counts.missed;
  }
  if (of.role == GcnRole::atomic) counts.max_same = static_cast<std::uint32_t>((counts.lanes + sectors - 1) / sectors);
  counts_of(wave).accesses[instruction].add(counts);
}

}  // namespace gdsim
