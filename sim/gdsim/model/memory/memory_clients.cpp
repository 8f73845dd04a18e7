#include <gdsim/model/memory/memory_clients.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/program/work_amounts.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace gdsim {

MemoryDomains::MemoryDomains(const DeviceSpec& device) {
  const std::vector<MemoryLevel>& levels = device.memory->levels;
  std::vector<std::vector<std::uint32_t>> by_core(device.cores, std::vector<std::uint32_t>(levels.size(), 0));
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto groups = core_blocks(device, levels[level].scope);
    GDSIM_CHECK(groups.has_value(), "a level of no known scope passed the checks of the device");
    for (std::uint32_t copy = 0; copy < groups->size(); ++copy)
      for (std::size_t core = (*groups)[copy].first; core < (*groups)[copy].last; ++core) by_core[core][level] = copy;
    are_device_wide_ = are_device_wide_ && levels[level].scope == "device";
    copies_.push_back(static_cast<std::uint32_t>(groups->size()));
    first_working_set_.push_back(working_sets_);
    if (groups->size() > 1) working_sets_ += groups->size();
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> domain_of_copies;
  for (const std::vector<std::uint32_t>& copies : by_core) {
    const auto [entry, is_new] = domain_of_copies.emplace(copies, count());
    if (is_new) copies_of_.push_back(copies);
    domain_of_core_.push_back(entry->second);
  }
  if (count() == 1) domain_of_core_.clear();
  for (std::uint32_t domain = 0; domain < count(); ++domain) {
    auto& indices = working_sets_of_.emplace_back(std::vector<std::size_t>{0});
    for (std::size_t level = 0; level < levels.size(); ++level)  // 0, that of levels with one copy, is listed already
      if (working_set_index(level, domain) != 0) indices.push_back(working_set_index(level, domain));
  }
}

MemoryClients::MemoryClients(std::vector<MemoryRates> rates, MemoryDomains domains, std::vector<MemoryClient> kinds)
    : memory_(std::move(rates)),
      domains_(std::move(domains)),
      kinds_(std::move(kinds)),
      count_(static_cast<std::uint32_t>(kinds_.size())),
      working_sets_(domains_.working_sets(), 0),
      rates_(std::size_t{count_} * domains_.count()) {
  for (const MemoryRates& memory : memory_)
    for (const MemoryClient& kind : kinds_) {
      const Int128 own_working_set = kind.working_set.value_or(Bytes{}).count;
      const MemoryMix mix = mix_of(memory, kind, 0, std::vector<Int128>(domains_.working_sets(), own_working_set));
      isolated_.push_back({uncontended_rate(memory, mix).reduced(), mix.latency});
    }
}

MemoryMix MemoryClients::mix_of(const MemoryRates& rates, const MemoryClient& kind, std::uint32_t domain,
                                const std::vector<Int128>& working_sets) const {
  if (domains_.are_device_wide()) return mix_of_levels(rates, kind, working_sets[0]);
  std::vector<Int128> by_level;
  for (std::size_t level = 0; level < rates.levels.size(); ++level)
    by_level.push_back(working_sets[domains_.working_set_index(level, domain)]);
  return mix_of_scopes(rates, kind, by_level);
}

MemoryClients::Rates MemoryClients::rates_of(const MemoryClient& kind, std::uint32_t domain) const {
  Rates rates;
  rates.mix = mix_of(memory(), kind, domain, working_sets_);
  rates.alone = uncontended_rate(memory(), rates.mix).reduced();
  rates.of_core = core_rate(memory(), rates.mix);
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  rates.max_unlimited = no_limit;
  if (rates.of_core) {
    const UInt128 most = UInt128{rates.of_core->numerator()} * rates.alone.denominator() /
                         (UInt128{rates.of_core->denominator()} * rates.alone.numerator());
    rates.max_unlimited = static_cast<std::uint64_t>(std::min<UInt128>(most, no_limit));
  }
  return rates;
}

void MemoryClients::set_clock(std::size_t clock) {
  clock_ = clock;
  for (CachedRates& cached : rates_) cached.version = 0;
}

void MemoryClients::set_working_sets(const std::vector<Int128>& working_sets) {
  if (working_sets == working_sets_) return;
  working_sets_ = working_sets;
  ++version_;
}

/// Recomputes the rates of this kind. They do not depend on the working sets if its reads do not stay in the caches.
MemoryClients::Update MemoryClients::recompute(std::uint32_t kind_in_domain) {
  CachedRates& cached = rates_[kind_in_domain];
  const MemoryClient& kind = kinds_[kind_in_domain % count_];
  const std::uint64_t old_version = std::exchange(cached.version, version_);
  if (old_version != 0 && !kind.working_set) return Update::none;
  const std::uint64_t max_unlimited =
      std::exchange(cached.rates, rates_of(kind, domain_of(kind_in_domain))).max_unlimited;
  return max_unlimited == cached.rates.max_unlimited ? Update::rates : Update::core_limits;
}

Fraction MemoryClients::cap(std::uint32_t kind_in_domain, std::uint32_t sharers) const {
  const Rates& rates = rates_[kind_in_domain].rates;
  if (sharers == 0) return rates.alone;
  const Fraction part = (*rates.of_core / Fraction(sharers, 1)).reduced();
  return part < rates.alone ? part : rates.alone;
}

Duration MemoryClients::isolated_time(std::size_t clock, std::uint32_t kind, std::int64_t bytes) const {
  const auto& [rate, latency] = isolated_[clock * count_ + kind];
  const UInt128 time = (static_cast<UInt128>(bytes) * rate.denominator() + rate.numerator() - 1) / rate.numerator();
  if (time > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) detail::raise_time_overflow();
  return Duration{static_cast<std::int64_t>(time)} + latency;
}

namespace {

/// What the memory steps of one kernel have in common.
struct KernelAccess {
  std::optional<Bytes> working_set;  ///< of a work-group alone
  std::optional<Bytes> in_flight;
  bool has_precedence = false;
};

KernelAccess access_of(const Kernel& kernel, const MemoryRule& memory) {
  KernelAccess access;
  if (kernel.working_set || kernel.shared_working_set) {
    const KernelWorkingSet bytes = working_set_of(kernel);
    access.working_set = Bytes{bytes.of_work_group + bytes.of_launch};
  }
  access.in_flight = kernel.in_flight ? kernel.in_flight : memory.in_flight;
  access.has_precedence = draw_in_force(kernel).has_value();
  return access;
}

MemoryClient kind_of(const KernelAccess& access, const ProgramPlan& plan, std::uint32_t op_index) {
  const Op& op = plan.op(op_index);
  MemoryClient kind{op.chunk, plan.amount_without_factors(op_index), access.working_set};
  kind.written = op.written;
  kind.unmerged = op.unmerged;
  kind.written_with = op.written == 0 ? 1 : op.chunk;
  kind.is_store = op.kind == OpCode::store;
  kind.multicast = op.multicast;
  if (access.in_flight && op.kind == OpCode::memory) kind.chunk = std::min(kind.chunk, access.in_flight->count);
  return kind;
}

/// Returns true if the op's threads are served first or last.
bool threads_take_precedence(const Op& op) { return has_precedence(op.kind) && !op.is_repeated; }

/// Numbers kinds in the order in which steps first have them.
class KindNumbers {
 public:
  explicit KindNumbers(std::vector<MemoryClient>& kinds) : kinds_(kinds) {}

  std::uint32_t number_of(const MemoryClient& kind) {
    const auto [entry, is_new] = numbers_.try_emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
    if (is_new) kinds_.push_back(kind);
    return entry->second;
  }
  /// The numbers of a step whose threads are served last, and first.
  std::array<std::uint32_t, 2> numbers_of(MemoryClient kind, bool has_precedence) {
    if (has_precedence) kind.weight = ShareWeight::last;
    const std::uint32_t last = number_of(kind);
    if (has_precedence) kind.weight = ShareWeight::first;
    return {last, number_of(kind)};
  }

 private:
  std::vector<MemoryClient>& kinds_;
  std::map<MemoryClient, std::uint32_t> numbers_;
};

}  // namespace

KernelWorkingSet working_set_of(const Kernel& kernel) {
  return {kernel.working_set.value_or(Bytes{}).count, kernel.shared_working_set.value_or(Bytes{}).count};
}

MemorySteps memory_steps_of(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans) {
  MemorySteps steps;
  KindNumbers numbers(steps.kinds);
  for (std::size_t k = 0; k < workload.kernels.size(); ++k) {
    const KernelAccess access = access_of(workload.kernels[k], *device.memory);
    for (const ProgramPlan& plan : plans.all(static_cast<KernelId>(k))) {
      auto& by_op = steps.kind_of.emplace_back(plan.size());
      for (std::uint32_t i = 0; i < plan.size(); ++i)
        if (is_memory(plan.op(i).kind))
          by_op[i] = numbers.numbers_of(kind_of(access, plan, i),
                                        access.has_precedence && threads_take_precedence(plan.op(i)));
    }
  }
  return steps;
}

namespace {

Fraction per_picosecond(BytesPerSecond bandwidth) {
  return Fraction(static_cast<UInt128>(bandwidth.count), kPicosecondsPerSecond).reduced();
}

/// The mean latency `sum` / `bytes`: the sum of the latencies of all bytes, in picoseconds, and their number.
struct MeanLatency {
  UInt128 sum = 0;
  UInt128 bytes = 1;
};

/// Returns the rate with which all latencies of a step, one for each chunk, but the last one pass while its bytes are
/// served. A step that is requested at once, or whose requests take no time, is served in a picosecond.
Fraction own_rate(const MemoryClient& kind, MeanLatency latency) {
  const auto chunk = static_cast<UInt128>(kind.chunk);
  const auto bytes = static_cast<UInt128>(kind.bytes);
  if (kind.is_store || bytes <= chunk || latency.sum == 0) return {bytes, 1};
  return Fraction(chunk * latency.bytes, latency.sum) * Fraction(bytes, bytes - chunk);
}

/// Sets the values that depend on the latency. A store has no latency: it is served in a picosecond, unless others
/// limit it.
void set_latency(MemoryMix& mix, const MemoryRates& rates, const MemoryClient& kind, MeanLatency latency) {
  mix.own = own_rate(kind, latency);
  if (kind.is_store) return;
  mix.latency = Duration{static_cast<std::int64_t>((2 * latency.sum + latency.bytes) / (2 * latency.bytes))};
  if (latency.sum != 0 && rates.core_in_flight)
    mix.core_by_latency = Fraction(static_cast<UInt128>(rates.core_in_flight->count) * latency.bytes, latency.sum);
}

void ask_for_written_sectors(MemoryMix& mix, const MemoryRates& rates, const MemoryClient& kind) {
  const auto ask_at_least = [&](Fraction& share, std::int64_t bytes) {
    share = std::max(share, Fraction(static_cast<UInt128>(bytes), static_cast<UInt128>(kind.written_with)));
  };
  if (kind.written == 0) return;
  if (rates.level_of_written_sectors) ask_at_least(mix.shares[*rates.level_of_written_sectors], kind.written);
  ask_at_least(mix.shares.back(), kind.unmerged);
}

/// Lets the work-groups that a read serves share its bytes at the levels beyond their cores.
void share_multicast_reads(MemoryMix& mix, const MemoryRates& rates, const MemoryClient& kind) {
  if (kind.multicast == 1) return;
  for (std::size_t i = 0; i < mix.shares.size(); ++i)
    if (!rates.levels[i].is_of_core) mix.shares[i] = (mix.shares[i] / Fraction(kind.multicast, 1)).reduced();
}

}  // namespace

Fraction lower(const Fraction& a, const std::optional<Fraction>& b) { return b && *b < a ? *b : a; }

MemoryRates memory_rates(const MemoryRule& rule, Hertz clock) {
  MemoryRates rates;
  rates.level_of_written_sectors = level_of_written_sectors(rule);
  rates.core_in_flight = rule.core_in_flight;
  if (rule.core_bandwidth) rates.core_bandwidth = per_picosecond(*rule.core_bandwidth);
  for (const MemoryLevel& level : rule.levels) {
    MemoryRates::Level counted;
    counted.capacity = level.capacity;
    if (level.bandwidth) counted.bandwidth = per_picosecond(*level.bandwidth);
    if (level.latency) counted.latency = resolve(*level.latency, clock, Decimal::whole(1)).value_or(Duration{});
    counted.is_of_core = level.scope == "core";
    rates.levels.push_back(counted);
  }
  return rates;
}

MemoryMix mix_of_levels(const MemoryRates& rates, const MemoryClient& kind, Int128 working_set) {
  const bool is_cached = kind.working_set.has_value();
  const Int128 whole = is_cached ? std::max<Int128>(working_set, 1) : 1;
  MemoryMix mix;
  mix.shares.reserve(rates.levels.size());
  Int128 served = 0;  // bytes served by faster levels
  UInt128 latency = 0;
  for (std::size_t i = 0; i < rates.levels.size(); ++i) {
    const MemoryRates::Level& level = rates.levels[i];
    const bool is_last = i + 1 == rates.levels.size();
    const Int128 kept = is_cached ? std::min<Int128>(whole, level.capacity.value_or(Bytes{}).count) : 0;
    const Int128 share = std::max<Int128>((is_last ? whole : kept) - served, 0);
    served += share;
    mix.shares.push_back(Fraction(static_cast<UInt128>(share), static_cast<UInt128>(whole)).reduced());
    latency += static_cast<UInt128>(share) * static_cast<UInt128>(level.latency.count);
  }
  set_latency(mix, rates, kind, {latency, static_cast<UInt128>(whole)});
  ask_for_written_sectors(mix, rates, kind);
  share_multicast_reads(mix, rates, kind);
  return mix;
}

MemoryMix mix_of_scopes(const MemoryRates& rates, const MemoryClient& kind, const std::vector<Int128>& working_sets) {
  MemoryMix mix;
  Fraction served;  // part served by faster levels
  Fraction latency;
  for (std::size_t i = 0; i < rates.levels.size(); ++i) {
    const MemoryRates::Level& level = rates.levels[i];
    const Int128 whole = std::max<Int128>(working_sets[i], 1);
    const Int128 kept = kind.working_set ? std::min<Int128>(whole, level.capacity.value_or(Bytes{}).count) : Int128{0};
    const bool is_last = i + 1 == rates.levels.size();
    const Fraction reach = is_last ? Fraction(1, 1) : Fraction(static_cast<UInt128>(kept), static_cast<UInt128>(whole));
    const Fraction share = served < reach ? reach - served : Fraction();
    served = served + share;
    mix.shares.push_back(share);
    latency = latency + share * Fraction(static_cast<UInt128>(level.latency.count), 1);
  }
  set_latency(mix, rates, kind, {latency.numerator(), latency.denominator()});
  ask_for_written_sectors(mix, rates, kind);
  share_multicast_reads(mix, rates, kind);
  return mix;
}

std::optional<Fraction> core_rate(const MemoryRates& rates, const MemoryMix& mix) {
  if (!rates.core_bandwidth) return mix.core_by_latency;
  return lower(*rates.core_bandwidth, mix.core_by_latency);
}

Fraction uncontended_rate(const MemoryRates& rates, const MemoryMix& mix) {
  Fraction rate = lower(mix.own, core_rate(rates, mix));
  for (std::size_t i = 0; i < rates.levels.size(); ++i)
    if (rates.levels[i].bandwidth && !mix.shares[i].is_zero())
      rate = lower(rate, *rates.levels[i].bandwidth / mix.shares[i]);
  return rate;
}

}  // namespace gdsim
