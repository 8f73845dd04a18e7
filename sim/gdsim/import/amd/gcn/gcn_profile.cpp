#include <gdsim/import/amd/gcn/gcn_profile.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace gdsim {
namespace {

std::uint64_t waves_of(const GcnKernel& kernel, const PtxLaunch& launch) {
  return (launch.items() + kernel.lanes - 1) / kernel.lanes;
}

/// Executes these waves of a work-group; they wait for each other at barriers.
void run_waves(const GcnExecution& execution, std::uint64_t group, const std::set<std::uint32_t>& numbers) {
  const auto place = execution.launch.position_of(group);
  execution.log.begin_group();
  std::vector<GcnWave> waves;
  waves.reserve(numbers.size());
  for (const std::uint32_t number : numbers) waves.emplace_back(execution, place, number);
  std::vector<bool> has_ended(waves.size(), false);
  while (std::find(has_ended.begin(), has_ended.end(), false) != has_ended.end())
    for (std::size_t i = 0; i < waves.size(); ++i)
      if (!has_ended[i]) has_ended[i] = waves[i].run() == GcnWave::State::ended;
}

std::set<std::uint32_t> all_waves(std::uint64_t count) {
  std::set<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < count; ++i) numbers.insert(i);
  return numbers;
}

/// The counts in which waves of different classes differ.
std::vector<std::uint64_t> class_key(const GcnWaveCounts& counts) {
  std::vector<std::uint64_t> key = counts.executions;
  key.insert(key.end(), counts.entries.begin(), counts.entries.end());
  key.insert(key.end(), counts.iterations.begin(), counts.iterations.end());
  for (const GcnAccess& access : counts.accesses) key.push_back(access.requests);
  return key;
}

/// One call of gcn_profile_of().
class GcnProfiler {
 public:
  GcnProfiler(const GcnKernel& kernel, const PtxLaunch& launch, const GcnCaches& caches, const SourceText& source,
              std::uint64_t max_instructions)
      : launch_(launch), caches_(caches), constants_(kernel, launch), max_instructions_(max_instructions) {
    profile_.program = gcn_program_of(kernel);
    check_size(source);
    inputs_.emplace(profile_.program, launch, source);
    profile_.waves = waves_of(kernel, launch);
    profile_.groups = launch.groups();
  }

  GcnProfile take(std::uint64_t resident) {
    const std::uint64_t busiest = sample();
    GcnLog log(profile_.program, caches_);
    run_waves(execution(log), busiest, all_waves(profile_.waves));
    inputs_->throw_if_any();
    profile_.classes = classes_by(log.waves, class_key);
    follow(resident, busiest, log.instructions);
    return std::move(profile_);
  }

 private:
  /// Refuses what would take too much time and memory.
  void check_size(const SourceText& source) const {
    constexpr std::size_t most = 200'000;
    const GcnKernel& kernel = *profile_.program.kernel;
    Diagnostics problems;
    if (profile_.program.loops.size() > kMaxGcnLoops)
      problems.add({&source, kernel.line, kernel.column}, fmt::format("{} has more than {} loops, and is not followed",
                                                                      printable(kernel.symbol), kMaxGcnLoops));
    if (kernel.instructions.size() > most)
      problems.add(
          {&source, kernel.line, kernel.column},
          fmt::format("{} has more than {} instructions, and is not followed", printable(kernel.symbol), most));
    problems.throw_if_any();
  }

  GcnExecution execution(GcnLog& log, std::uint64_t times = 1) {
    return {profile_.program, constants_, launch_, log, *inputs_, times * max_instructions_};
  }

  /// Executes the first and the last wave of some work-groups. Returns the work-group that executes most, neither the
  /// first nor the last one if there are others.
  std::uint64_t sample() {
    constexpr std::uint64_t steps = 8;
    const std::uint64_t last = profile_.groups - 1;
    std::set<std::uint64_t> numbers{last / 2};
    for (std::uint64_t i = 0; i <= steps; ++i) numbers.insert(last / steps * i + last % steps * i / steps);
    std::map<std::uint64_t, std::uint64_t> instructions;
    for (const std::uint64_t group : numbers) {
      GcnLog log(profile_.program, caches_);
      run_waves(execution(log), group, {0, static_cast<std::uint32_t>(profile_.waves - 1)});
      instructions[group] = log.instructions;
      if (!inputs_->empty()) inputs_->throw_if_any();
    }
    std::uint64_t busiest = last / 2;
    for (const auto& [group, count] : instructions)
      if (count > instructions[busiest] && (!is_at_an_end(group) || is_at_an_end(busiest))) busiest = group;
    compare(instructions, busiest);
    return busiest;
  }

  /// The first and the last work-group may do less than the others, if those are many.
  bool is_at_an_end(std::uint64_t group) const {
    constexpr std::uint64_t many = 16;
    return profile_.groups >= many && (group == 0 || group + 1 == profile_.groups);
  }

  void compare(const std::map<std::uint64_t, std::uint64_t>& instructions, std::uint64_t busiest) {
    constexpr std::uint64_t part = 50;  // 2 %
    const std::uint64_t most = instructions.at(busiest);
    for (const auto& [group, count] : instructions) {
      if (count == most) continue;
      const std::string words =
          fmt::format("the first and the last wave of number {} execute {} instructions, those of number {} {}",
                      busiest, most, group, count);
      if (is_at_an_end(group) || (most - std::min(most, count)) * part <= most)
        profile_.notes = {fmt::format("ASSUMED: all work-groups do what number {} does: {}", busiest, words)};
      else
        profile_.reason =
            "its work-groups differ: " + words + "; import those that do the same alone, by another --grid or --arg";
    }
  }

  /// Executes work-groups that are resident together, to find lines that they share and addresses of atomic accesses.
  void follow(std::uint64_t resident, std::uint64_t busiest, std::uint64_t instructions) {
    constexpr std::uint64_t budget = 4'000'000;
    constexpr std::uint64_t most = 512;
    const std::uint64_t count = std::clamp<std::uint64_t>(
        std::min({resident, profile_.groups, most, budget / std::max<std::uint64_t>(instructions, 1)}), 1, most);
    const std::uint64_t first = std::min(busiest, profile_.groups - count);
    GcnLog log(profile_.program, caches_);
    for (std::uint64_t i = 0; i < count; ++i) run_waves(execution(log, 2), first + i, all_waves(profile_.waves));
    inputs_->throw_if_any();
    profile_.followed_groups = count;
    const auto gathered = static_cast<double>(log.gathered);  // each byte is another one
    const double distinct = static_cast<double>(log.loaded.distinct.size() * caches_.line) + gathered;
    const double all = static_cast<double>(log.loaded.count * caches_.line) + gathered;
    profile_.distinct_loads = all == 0 ? 1 : distinct / all;
    profile_.distinct_stores = log.stored.distinct_share();
    profile_.loaded_footprint = distinct * static_cast<double>(profile_.groups) / static_cast<double>(count);
    for (const auto& [instruction, items] : log.atomics) {
      std::uint64_t hottest = 1;
      for (const auto& [address, lanes] : items) hottest = std::max(hottest, lanes);
      const std::uint64_t requests = total_requests(instruction) * count;
      profile_.atomic_addresses[instruction] =
          std::max<std::uint64_t>(1, requests * profile_.program.kernel->lanes / hottest);
    }
  }

  std::uint64_t total_requests(std::uint32_t instruction) const {
    return profile_.total().accesses[instruction].requests;
  }

  const PtxLaunch& launch_;
  GcnCaches caches_;
  GcnConstants constants_;
  std::uint64_t max_instructions_;
  GcnProfile profile_;
  std::optional<GcnInputs> inputs_;
};

}  // namespace

GcnWaveCounts GcnProfile::total() const {
  GcnWaveCounts all(program);
  for (const WarpClass<GcnWaveCounts>& wave_class : classes) all.add(wave_class.counts);
  return all;
}

GcnProfile gcn_profile_of(const GcnKernel& kernel, const PtxLaunch& launch, const GcnCaches& caches,
                          std::uint64_t resident, const SourceText& source, std::uint64_t max_instructions) {
  return GcnProfiler(kernel, launch, caches, source, max_instructions).take(resident);
}

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
  const GcnClass& traits = program_.classes[instruction];
  GcnAccess counts;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  const std::vector<std::uint64_t> lines = touched_blocks(addresses, active, traits.bytes, caches_.line);
  counts.lines = lines.size();
  counts.coalesced = std::min(counts.lines, (counts.lanes * traits.bytes + caches_.line - 1) / caches_.line);
  if (traits.role == GcnRole::load) count_loaded(instruction, lines, counts);
  if (traits.role == GcnRole::store) count_stored(addresses, active, traits.bytes, counts);
  if (traits.role == GcnRole::atomic) count_atomic(instruction, addresses, active, counts);
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
  const GcnClass& traits = program_.classes[instruction];
  const auto width = static_cast<std::uint64_t>(caches_.banks.bank_width.count);
  std::vector<std::uint64_t> words;
  std::map<std::uint64_t, std::uint32_t> items;
  for (const GcnAddresses& addresses : pieces)
    for_each_lane(active, [&](std::uint32_t lane) {
      for (std::uint64_t at = addresses[lane] / width; at <= (addresses[lane] + traits.bytes - 1) / width; ++at)
        words.push_back(at);
      if (traits.role == GcnRole::atomic) ++items[addresses[lane]];
    });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
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
  const GcnClass& traits = program_.classes[instruction];
  GcnAccess counts;
  counts.requests = 1;
  counts.lanes = static_cast<std::uint64_t>(std::popcount(active));
  if (traits.is_lds) {
    counts.bank_cycles = sectors;
  } else {
    counts.lines = counts.coalesced = sectors;
    counts.missed = sectors * kStoreSector;
    counts.misses = 1;
    if (traits.role == GcnRole::load) gathered += counts.missed;
  }
  if (traits.role == GcnRole::atomic)
    counts.max_same = static_cast<std::uint32_t>((counts.lanes + sectors - 1) / sectors);
  counts_of(wave).accesses[instruction].add(counts);
}

}  // namespace gdsim
