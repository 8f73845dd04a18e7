#include <gdsim/program/work_amounts.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/instruction_cycles.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <variant>
#include <vector>

namespace gdsim {
namespace {

/// Returns the number of lines of `line` bytes that contain the `bytes` bytes from `begin` on.
UInt128 lines_of(UInt128 begin, UInt128 bytes, UInt128 line) { return (begin + bytes - 1) / line - begin / line + 1; }

/// Returns the number of lines of elements that are so far apart that no line holds bytes of two of them.
UInt128 lines_of_far_elements(UInt128 lanes, UInt128 distance, UInt128 element, UInt128 line) {
  const UInt128 period = line / std::gcd(static_cast<std::uint64_t>(distance % line), static_cast<std::uint64_t>(line));
  UInt128 all = 0;
  UInt128 of_rest = 0;
  for (UInt128 lane = 0; lane < period; ++lane) {
    if (lane == lanes % period) of_rest = all;
    all += lines_of(distance % line * lane % line, element, line);
  }
  return lanes / period * all + of_rest;
}

}  // namespace

std::optional<Bytes> strided_bytes(const StridedAccess& access, std::uint32_t lanes, Bytes line) {
  if (access.element.count <= 0 || line.count <= 0) return std::nullopt;
  if (access.elements == 0 || lanes == 0) return Bytes{0};
  const auto element = static_cast<UInt128>(access.element.count);
  const auto bytes_of_line = static_cast<UInt128>(line.count);
  const UInt128 distance = element * access.stride;
  constexpr auto max = static_cast<UInt128>(std::numeric_limits<std::int64_t>::max());
  // No whole line lies between neighbors: all lines from the first lane to the next thread's first lane are moved.
  const UInt128 of_access = distance == 0 ? lines_of(0, element, bytes_of_line) * bytes_of_line
                            : distance < element + bytes_of_line
                                ? distance * lanes
                                : lines_of_far_elements(lanes, distance, element, bytes_of_line) * bytes_of_line;
  if (of_access > max || of_access > max / access.elements) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(of_access * access.elements)};
}

std::optional<std::size_t> fastest_shared_level(const MemoryRule& memory) {
  const auto shared = std::find_if(memory.levels.begin(), memory.levels.end(),
                                   [](const MemoryLevel& level) { return level.scope == "device"; });
  if (shared == memory.levels.end()) return std::nullopt;
  return static_cast<std::size_t>(shared - memory.levels.begin());
}

std::optional<StepTime> fence_latency(const DeviceSpec& device) {
  const auto shared = device.memory ? fastest_shared_level(*device.memory) : std::nullopt;
  return shared ? device.memory->levels[*shared].latency : std::nullopt;
}

std::optional<std::size_t> level_of_written_sectors(const MemoryRule& memory) {
  const auto level = fastest_shared_level(memory);
  return level && *level + 1 < memory.levels.size() ? level : std::nullopt;
}

bool counts_written_sectors(const DeviceSpec& device) {
  if (!device.written_sector || !device.memory) return false;
  if (!device.written_sector->is_merged && device.memory->levels.size() > 1) return true;
  const auto level = level_of_written_sectors(*device.memory);
  return level && device.memory->levels[*level].bandwidth;
}

std::int64_t written_bytes(const Memory& step, const DeviceSpec& device) {
  if (!step.written || !device.written_sector) return 0;
  return static_cast<std::int64_t>(step.written->whole) * device.written_sector->whole.count +
         static_cast<std::int64_t>(step.written->partial) * device.written_sector->partial.count;
}

std::int64_t unmerged_bytes(const Memory& step, const DeviceSpec& device, std::uint32_t sub_group) {
  if (!step.written || !device.written_sector || device.written_sector->is_merged) return 0;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(step.written->partial, sub_group) * kSectorBytes);
}

namespace {

constexpr std::uint64_t kMillionth = 1'000'000;

UInt128 millionths(const Decimal& value) {
  return static_cast<UInt128>(round_product({value, Decimal::whole(kMillionth)}).value_or(0));
}

/// Returns the millionths of cycles of a time.
UInt128 millionths_of_cycles(const StepTime& time, const DeviceSpec& device) {
  if (time.unit == StepTime::Unit::cycles || !device.clock) return millionths(time.amount);
  return millionths(time.amount) * static_cast<UInt128>(device.clock->count) / kMillionth / kMillionth;
}

/// Adds up the amounts of one work-group, in units: a thread counts `weight` of them.
class AmountSum {
 public:
  AmountSum(const DeviceSpec& device, const Kernel& kernel, WorkAmounts& sum)
      : device_(device), kernel_(kernel), sum_(sum) {}

  /// Adds a program that these threads of a work-group execute, without its tiles, `times` times.
  void add(const Program& program, const std::vector<bool>& threads, UInt128 times) {
    const UInt128 count = times * static_cast<std::uint64_t>(std::count(threads.begin(), threads.end(), true));
    for (const Step& step : program) {
      if (const auto* issue = std::get_if<IssueSlots>(&step)) add(*issue, count);
      if (const auto* slm = std::get_if<Slm>(&step))
        add_slm(UInt128{kMillionth} * slm->accesses *
                    cycles_per_access(*device_.slm_access, kernel_.sub_group, slm->stride, slm->bytes),
                count);
      if (const auto* atomic = std::get_if<Atomic>(&step)) add(*atomic, count);
      if (const auto* loop = std::get_if<Loop>(&step)) add(loop->body, threads, times * loop->count);
      if (const auto* only = std::get_if<Only>(&step)) add(only->body, within(threads, only->threads), times);
    }
  }

 private:
  static std::vector<bool> within(const std::vector<bool>& threads, const std::vector<ThreadRange>& ranges) {
    std::vector<bool> chosen(threads.size(), false);
    for (const ThreadRange& range : ranges)
      for (std::size_t i = range.first; i <= range.last && i < threads.size(); ++i) chosen[i] = threads[i];
    return chosen;
  }

  void add(const IssueSlots& issue, UInt128 count) {
    if (!issue.l1.empty()) add_l1(millionths(l1_cycles_of(issue.l1, *device_.l1).amount), count);
    if (issue.by_kind.empty()) {
      const UInt128 slots = count * millionths_of_cycles(issue.slots, device_);
      sum_.cycles[kIssueSlots] += slots;
      sum_.slots_without_kinds += slots;
      return;
    }
    for (const InstructionCount& one : issue.by_kind)
      sum_.operations[one.kind] += count * kMillionth * one.count * (is_tensor_kind(one.kind) ? 1 : kernel_.sub_group);
    for (const PipeCycles& work : works_of(issue.by_kind, device_, kernel_.sub_group))
      sum_.cycles[work.pipe] += count * millionths(work.cycles.amount);
  }
  void add(const Atomic& atomic, UInt128 count) {
    if (atomic.space == AtomicSpace::global) {
      const StepTime cycles = cycles_of_global_atomics(device_.atomics, atomic.accesses * kernel_.sub_group,
                                                       atomic.addresses, atomic.type == AtomicType::floating);
      sum_.atomic_cycles += count * millionths(cycles.amount);
    } else {
      const StepTime each =
          cycles_per_slm_atomic(*device_.slm_access, *device_.atomics.slm, kernel_.sub_group, atomic.addresses);
      add_slm(millionths(each.amount) * atomic.accesses, count);
    }
  }
  void add_l1(UInt128 cycles, UInt128 count) { sum_.cycles[kL1Pipe] += cycles * count; }
  void add_slm(UInt128 cycles, UInt128 count) {
    const bool is_separate = device_.l1 && device_.l1->slm == SlmPlace::separate;
    sum_.cycles[is_separate ? kSlmPipe : kL1Pipe] += cycles * count;
  }

  const DeviceSpec& device_;
  const Kernel& kernel_;
  WorkAmounts& sum_;
};

/// Returns, by program number, the sum of the factors of its work-groups, in millionths.
std::vector<UInt128> weights_of_programs(const Kernel& kernel) {
  std::vector<UInt128> weights(kernel.program_count(), 0);
  if (kernel.differs_by_group()) {
    for (const std::uint32_t number : kernel.group_programs.of_group) weights[number] += kMillionth;
  } else {
    weights[0] = UInt128{kMillionth} * kernel.range.group_count();
  }
  for (const WorkGroupFactor& own : kernel.variation.factors)
    if (!own.duration) weights[kernel.program_number(own.work_group)] += millionths(own.factor) - kMillionth;
  return weights;
}

void scale(WorkAmounts& sum, UInt128 numerator, UInt128 denominator) {
  for (auto& [kind, amount] : sum.operations) amount = amount * numerator / denominator;
  for (auto& [pipe, amount] : sum.cycles) amount = amount * numerator / denominator;
  sum.slots_without_kinds = sum.slots_without_kinds * numerator / denominator;
  sum.atomic_cycles = sum.atomic_cycles * numerator / denominator;
}

void add(WorkAmounts& sum, const WorkAmounts& more) {
  for (const auto& [kind, amount] : more.operations) sum.operations[kind] += amount;
  for (const auto& [pipe, amount] : more.cycles) sum.cycles[pipe] += amount;
  sum.slots_without_kinds += more.slots_without_kinds;
  sum.atomic_cycles += more.atomic_cycles;
}

/// Returns the amounts of all tiles of a list.
WorkAmounts amounts_of_tiles(const Tiles& tiles, const Kernel& kernel, const DeviceSpec& device) {
  WorkAmounts sum;
  AmountSum adder(device, kernel, sum);
  const std::vector<bool> takers(tiles.per == TileTaker::thread ? 1 : kernel.threads_per_work_group(), true);
  const std::vector<std::uint64_t> counts = tiles_by_body(tiles);
  for (std::size_t body = 0; body < counts.size(); ++body) adder.add(tiles.body_of(body), takers, counts[body]);
  return sum;
}

}  // namespace

WorkAmounts work_amounts(const Kernel& kernel, const DeviceSpec& device, const SharersOfTiles& sharers) {
  WorkAmounts sum;
  const std::vector<bool> all(kernel.threads_per_work_group(), true);
  const std::vector<UInt128> weights = weights_of_programs(kernel);
  for (std::size_t number = 0; number < weights.size(); ++number) {
    WorkAmounts one;
    if (weights[number] > 0) AmountSum(device, kernel, one).add(kernel.program_of(number), all, 1);
    scale(one, weights[number], kMillionth);
    add(sum, one);
  }
  if (kernel.has_smaller_groups())
    scale(sum, kernel.threads_total(), UInt128{kernel.range.group_count()} * kernel.threads_per_work_group());
  for (const Step& step : kernel.program) {
    const auto* tiles = std::get_if<Tiles>(&step);
    const auto shared = tiles != nullptr ? sharers.find(tiles->list) : sharers.end();
    if (tiles == nullptr || (shared != sharers.end() && shared->second == 0)) continue;
    WorkAmounts taken = amounts_of_tiles(*tiles, kernel, device);
    if (shared != sharers.end()) scale(taken, 1, shared->second);
    add(sum, taken);
  }
  return sum;
}

namespace {

int digits_of(UInt128 number) {
  int digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

std::uint64_t scaled_count(std::uint64_t count, const Ratio& factor) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(scaled(count, factor), 1));
}

/// Whether instructions, and accesses to SLM and to atomic variables, are scaled, too.
enum class ScaledAmounts : std::uint8_t { of_lanes, all };

void scale_steps(Program& program, const Ratio& factor, ScaledAmounts amounts) {
  for (Step& step : program) {
    if (auto* compute = std::get_if<Compute>(&step)) compute->time.amount = scaled(compute->time.amount, factor);
    if (auto* issue = std::get_if<IssueSlots>(&step)) {
      issue->slots.amount = scaled(issue->slots.amount, factor);
      // A thread with another number of lanes issues the same number of instructions; multiply-adds and lines of L1
      // scale.
      for (InstructionCount& own : issue->by_kind)
        if (amounts == ScaledAmounts::all || is_tensor_kind(own.kind)) own.count = scaled_count(own.count, factor);
      for (L1Access& access : issue->l1) {
        access.lines = scaled_count(access.lines, factor);
        if (access.excess_sectors > 0) access.excess_sectors = scaled_count(access.excess_sectors, factor);
        if (access.coalesced) access.coalesced = std::min(access.lines, scaled_count(*access.coalesced, factor));
      }
    }
    if (auto* memory = std::get_if<Memory>(&step);
        memory != nullptr && (amounts == ScaledAmounts::all || !memory->counts_lines)) {
      memory->bytes.count = scaled(static_cast<std::uint64_t>(memory->bytes.count), factor);
      if (memory->written)
        for (std::uint64_t* sectors : {&memory->written->whole, &memory->written->partial})
          if (*sectors > 0) *sectors = scaled_count(*sectors, factor);
    }
    if (auto* loop = std::get_if<Loop>(&step)) scale_steps(loop->body, factor, amounts);
    if (auto* only = std::get_if<Only>(&step)) scale_steps(only->body, factor, amounts);
    if (auto* tiles = std::get_if<Tiles>(&step))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) scale_steps(tiles->body_of(i), factor, amounts);
    if (amounts == ScaledAmounts::of_lanes) continue;
    if (auto* slm = std::get_if<Slm>(&step)) slm->accesses = scaled_count(slm->accesses, factor);
    if (auto* atomic = std::get_if<Atomic>(&step)) atomic->accesses = scaled_count(atomic->accesses, factor);
  }
}

}  // namespace

Decimal scaled(const Decimal& amount, const Ratio& factor) {
  const int magnitude = digits_of(amount.digits) + digits_of(factor.numerator) - digits_of(factor.denominator);
  // With 20 more digits than `magnitude` says, it is at least 10^18; with 17, less than that.
  for (int more = 20 - magnitude;; --more)
    if (const auto digits = round_product({{amount.digits, more}}, factor))
      return {static_cast<UInt128>(*digits), amount.exponent - more};
}

std::int64_t scaled(std::uint64_t amount, const Ratio& factor) {
  return round_product({Decimal::whole(amount)}, factor).value_or(std::numeric_limits<std::int64_t>::max());
}

void scale(Program& program, const Ratio& factor) { scale_steps(program, factor, ScaledAmounts::all); }

void scale_lanes(Kernel& kernel, std::uint32_t from, std::uint32_t to) {
  for (std::size_t i = 0; i < kernel.program_count(); ++i)
    scale_steps(kernel.program_of(i), {to, from}, ScaledAmounts::of_lanes);
}

bool can_scale_lanes(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.program_count(); ++i)
    if (has_step<Only>(kernel.program_of(i)) || has_step<Tiles>(kernel.program_of(i))) return false;
  return true;
}

}  // namespace gdsim
