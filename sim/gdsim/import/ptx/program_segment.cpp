#include <gdsim/import/ptx/program_segment.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace gdsim {
namespace {

bool takes_time(const PreparedInstruction& instruction) {
  switch (instruction.traits.role) {
    case PtxRole::free:
    case PtxRole::unsupported:
    case PtxRole::commit:
    case PtxRole::await: return false;
    case PtxRole::arithmetic: return instruction.costs != IssueCounts{};
    default: return true;
  }
}

}  // namespace

void PtxSegment::add(const PreparedKernel& kernel, const ExecutionCounts& executed, std::uint32_t instruction) {
  const PtxClass& traits = kernel.instructions[instruction].traits;
  const AccessCounts& counts = executed.accesses[instruction];
  const std::uint64_t executions = executed.executions[kernel.flow.block_at[instruction]];
  if (executions == 0 || !takes_time(kernel.instructions[instruction])) return;
  const std::uint32_t line = kernel.kernel->instructions[instruction].line;
  if (first_line == 0 || line < first_line) first_line = line;
  last_line = std::max(last_line, line);
  switch (traits.role) {
    case PtxRole::arithmetic:
    case PtxRole::branch:
    case PtxRole::arrive:
    case PtxRole::barrier:
      for (std::size_t i = 0; i < issued.size(); ++i)
        issued[i] += static_cast<double>(executions) * kernel.instructions[instruction].costs[i];
      return;
    case PtxRole::matrix: {
      const MatrixWork& work = kernel.instructions[instruction].matrix;
      if (!work.kind.empty()) multiply_adds[work.kind] += executions * work.multiply_adds;
      return;
    }
    case PtxRole::load:
    case PtxRole::store:
    case PtxRole::copy:
    case PtxRole::atomic:
      issued[kLoadStoreIndex] += static_cast<double>(counts.requests) * kernel.instructions[instruction].requests;
      if (traits.role != PtxRole::atomic) return add_access(traits, instruction, counts);
      if (counts.requests > 0) atomics.push_back(instruction);
      return;
    default: return;
  }
}

/// A copy also writes its bytes to shared memory: ASSUMED without conflicts of banks.
void PtxSegment::add_access(const PtxClass& traits, std::uint32_t instruction, const AccessCounts& counts) {
  const bool is_copy = traits.role == PtxRole::copy;
  const std::uint64_t fixed = is_copy ? counts.lines * (traits.is_bulk ? 2 : 1) : 0;
  const std::uint64_t lines = counts.lines + counts.bank_cycles + (is_copy ? counts.lines : 0);
  l1_cycles += lines;
  if (counts.requests > 0)
    accesses.push_back({instruction, counts.requests, counts.lanes, lines, counts.sectors, counts.missed, fixed});
  whole_sectors += counts.whole;
  std::uint64_t& bytes = is_copy ? copied : traits.role == PtxRole::load ? loaded : stored;
  bytes += counts.missed * kSectorBytes;
}

std::uint64_t coalesced_lines(const SegmentAccess& access, std::uint32_t bytes) {
  const std::uint64_t all = access.lanes * bytes;
  const std::uint64_t per_line = access.requests * kLineBytes;
  const std::uint64_t needed = access.requests * std::max<std::uint64_t>(1, (all + per_line - 1) / per_line);
  return std::min(access.lines, needed + access.fixed_lines);
}

std::uint64_t excess_sectors(const SegmentAccess& access, std::uint32_t bytes) {
  const std::uint64_t per_sector = access.requests * kSectorBytes;
  const std::uint64_t needed = access.requests * ((access.lanes * bytes + per_sector - 1) / per_sector);
  return access.missed - std::min(access.missed, needed);
}

std::uint64_t pipe_load(std::uint64_t l1_cycles, const DeviceSpec& device) {
  for (const ArithmeticRate& rate : device.arithmetic)
    if (rate.kind == kLoadStoreKind)
      return static_cast<std::uint64_t>(std::llround(static_cast<double>(l1_cycles) * device.engines_per_core *
                                                     approximate(rate.per_cycle) / kLanes));
  return 0;
}

PtxSegment whole_of(const KernelProfile& profile) {
  PtxSegment all;
  for (std::uint32_t i = 0; i < profile.kernel->instructions.size(); ++i) all.add(*profile.kernel, *profile.log, i);
  return all;
}

namespace {

bool is_arrival(const PtxClass& traits) { return traits.role == PtxRole::barrier || traits.role == PtxRole::arrive; }

bool are_equal(const std::vector<std::uint64_t>& counts) {
  return std::all_of(counts.begin(), counts.end(), [&](std::uint64_t count) { return count == counts.front(); });
}

}  // namespace

BarrierArrivals::BarrierArrivals(const KernelProfile& profile, const std::vector<WarpClass<ExecutionCounts>>& classes)
    : profile_(profile) {
  for (std::uint32_t i = 0; i < profile.kernel->instructions.size(); ++i) {
    const std::uint32_t block = profile.kernel->flow.block_at[i];
    if (!is_arrival(profile.kernel->instructions[i].traits) || profile.log->executions[block] == 0) continue;
    std::vector<std::uint64_t>& all = arrivals_[number_of(i)];
    all.resize(classes.size());
    std::vector<std::uint64_t> counts;
    for (std::size_t class_index = 0; class_index < classes.size(); ++class_index) {
      counts.push_back(classes[class_index].counts.executions[block] / classes[class_index].warps.size());
      all[class_index] += counts.back();
    }
    const bool waits = profile.kernel->instructions[i].traits.role == PtxRole::barrier;
    if (!waits) signalled_.insert(number_of(i));
    are_even_ = are_even_ && are_equal(counts);
  }
}

/// Of `bar.sync 1, 64` and of `bar.red.popc.u32 %r1, 1, %p1`; a register that gives it counts as a number of its own.
std::string BarrierArrivals::number_of(std::uint32_t instruction) const {
  const PtxInstruction& at = profile_.kernel->kernel->instructions[instruction];
  const std::size_t operand = at.has_part("red") ? 1 : 0;
  if (at.operands.size() <= operand) return "0";
  const PtxOperand& number = at.operands[operand];
  return number.kind == PtxOperand::Form::constant ? std::to_string(number.value) : "_of_a_register";
}

YamlValue BarrierArrivals::step_of(std::uint32_t instruction) const {
  const std::string number = number_of(instruction);
  const bool is_nameless = are_equal(arrivals_.at(number)) && signalled_.count(number) == 0;
  return is_nameless ? YamlValue::word("barrier") : YamlValue().entry("barrier", YamlValue::word("bar" + number));
}

YamlValue BarrierArrivals::signal_of(std::uint32_t instruction) const {
  return YamlValue().entry("signal", YamlValue::word("bar" + number_of(instruction)));
}

std::string BarrierArrivals::reason_of(std::uint32_t instruction) const {
  std::vector<std::uint64_t> counts = arrivals_.at(number_of(instruction));
  std::erase(counts, 0);
  if (counts.empty() || are_equal(counts)) return {};
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return fmt::format("is a barrier at which some warps arrive {} times, others {} times", *least, *most);
}

bool BarrierArrivals::is_barrier(std::uint32_t instruction) const {
  return profile_.kernel->instructions[instruction].traits.role == PtxRole::barrier &&
         profile_.log->executions[profile_.kernel->flow.block_at[instruction]] > 0;
}

bool BarrierArrivals::are_in(std::uint32_t loop) const {
  const FlowGraph& flow = profile_.kernel->flow;
  const auto& blocks = flow.loops[loop].blocks;
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](std::uint32_t block) { return is_barrier(flow.blocks[block].end - 1); });
}

std::uint64_t BarrierArrivals::arrivals(std::uint32_t instruction, const RegionPart& part) const {
  return part.counts->executions[profile_.kernel->flow.block_at[instruction]];
}

std::optional<std::uint32_t> BarrierArrivals::occasional(std::uint32_t loop,
                                                         const std::vector<RegionPart>& parts) const {
  const FlowGraph& flow = profile_.kernel->flow;
  for (const std::uint32_t block : flow.loops[loop].blocks) {
    const std::uint32_t last = flow.blocks[block].end - 1;
    if (flow.blocks[block].loop != loop || !is_barrier(last)) continue;
    const std::uint64_t each = arrivals(last, parts.front()) / parts.front().per;
    const auto is_occasional = [&](const RegionPart& part) {
      return arrivals(last, part) == each * part.per && arrivals(last, part) < part.counts->loops[loop].iterations;
    };
    if (each > 0 && std::all_of(parts.begin(), parts.end(), is_occasional)) return last;
  }
  return std::nullopt;
}

namespace {

/// The accesses of one thread, as items of a list.
YamlValue accesses_of(const PtxSegment& segment, std::uint64_t per, const KernelProfile& profile) {
  YamlValue items;
  std::uint64_t all = 0;
  std::uint64_t listed = 0;  // lines listed so far
  for (const SegmentAccess& access : segment.accesses) {
    all += access.lines;
    const std::uint64_t lines = mean_share(all, per) - listed;
    listed += lines;
    if (lines == 0) continue;  // too few threads do it to count for one thread
    const PtxInstruction& at = profile.kernel->kernel->instructions[access.instruction];
    YamlValue item = YamlValue::in_line();
    item.entry("source_line", at.line).entry("instruction", YamlValue::word(printable(at.opcode)));
    if (const std::uint64_t requests = mean_of_some(access.requests, per); requests > 1)
      item.entry("requests", requests);
    item.entry("lines", lines);
    const std::uint64_t coalesced = mean_of_some(coalesced_lines(access, profile.widths[access.instruction]), per);
    if (coalesced < lines) item.entry("coalesced", coalesced);
    if (const std::uint64_t excess = mean_share(excess_sectors(access, profile.widths[access.instruction]), per);
        excess > 0)
      item.entry("excess_sectors", excess);
    if (access.sectors > 0) item.entry("sectors", mean_of_some(access.sectors, per));
    items.item(std::move(item));
  }
  return items;
}

/// Adds `fp32: 4` for each kind that the segment issues.
void add_kinds(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device, YamlValue& kinds) {
  for (std::size_t i = 0; i < kIssueKinds.size(); ++i) {
    auto issued = static_cast<std::uint64_t>(std::llround(segment.issued[i] * step_instructions(i, device)));
    if (i == kLoadStoreIndex && !device.l1) issued = std::max(issued, pipe_load(segment.l1_cycles, device));
    if (const std::uint64_t count = mean_share(issued, per)) kinds.entry(std::string(kIssueKinds[i]), count);
  }
  for (const auto& [kind, multiply_adds] : segment.multiply_adds)
    if (const std::uint64_t count = mean_share(multiply_adds, per)) kinds.entry(tensor_kind_on(device, kind), count);
}

}  // namespace

double step_instructions(std::size_t kind, const DeviceSpec& device) {
  const Decimal* const rate = rate_of(device.arithmetic, kIssueKinds[kind]);
  return kind == kFp16Index && rate != nullptr ? std::max(1.0, kHalvesOfInstruction / approximate(*rate)) : 1;
}

std::string tensor_kind_on(const DeviceSpec& device, const std::string& kind) {
  constexpr std::string_view half = "_fp16";  // accumulators of 16 bits: as those of 32, unless the device has a rate
  const bool is_half = kind.ends_with(half) && kind != "tensor_fp16";
  if (!is_half || rate_of(device.arithmetic, kind) != nullptr) return kind;
  return kind.substr(0, kind.size() - half.size());
}

void add_issue_step(const PtxSegment& segment, const StepPlace& place, const KernelProfile& profile,
                    const DeviceSpec& device, YamlValue& steps) {
  const std::uint64_t lines = mean_share(segment.l1_cycles, place.per);
  std::string remark = place.lines;
  if (lines > 0)
    remark += fmt::format(
        ": {} accesses, {} lines of L1 and shared memory",
        mean_share(static_cast<std::uint64_t>(std::llround(segment.issued[kLoadStoreIndex])), place.per), lines);
  const YamlValue accesses = device.l1 && lines > 0 ? accesses_of(segment, place.per, profile) : YamlValue();
  const std::size_t listed = accesses.size();
  const bool lists_accesses = listed > 0 && listed <= kMaxL1Accesses;
  YamlValue kinds = lists_accesses ? YamlValue() : YamlValue::in_line();
  add_kinds(segment, place.per, device, kinds);
  if (kinds.is_empty()) {
    if (listed == 0) return;
    kinds.entry(std::string(kLoadStoreKind), 1U);
  }
  if (listed > kMaxL1Accesses) kinds.entry("l1", lines);
  if (lists_accesses) kinds.entry("l1", accesses);
  steps.item(YamlValue().entry("issue", std::move(kinds), std::move(remark)));
}

void add_written(const PtxSegment& segment, std::uint64_t per, const DeviceSpec& device, YamlValue& store) {
  if (!counts_written_sectors(device)) return;
  const std::uint64_t all = mean_of_some(segment.stored / kSectorBytes, per);
  const std::uint64_t whole = std::min(all, mean_share(segment.whole_sectors, per));
  YamlValue written = YamlValue::in_line();
  if (whole > 0 || whole == all) written.entry("whole", whole);
  if (whole != all) written.entry("partial", all - whole);
  store.entry("written", std::move(written));
}

namespace {

/// Warps that differ have trip counts that differ by the same number in each work-group.
std::string group_text(const TripsByGroup& trips_by_group, std::uint64_t trips) {
  const std::int64_t more = static_cast<std::int64_t>(trips) - trips_by_group.line.trips_at(trips_by_group.at);
  std::string text = trips_by_group.line.numerator == 1
                         ? trips_by_group.name
                         : fmt::format("{} * {}", trips_by_group.line.numerator, trips_by_group.name);
  if (trips_by_group.line.addend != 0)
    text += fmt::format(" {} {}", trips_by_group.line.addend < 0 ? '-' : '+', std::abs(trips_by_group.line.addend));
  if (trips_by_group.line.denominator > 1)
    text = fmt::format("floor(({}) / {})", text, trips_by_group.line.denominator);
  if (more != 0) text += fmt::format(" {} {}", more < 0 ? '-' : '+', std::abs(more));
  return fmt::format("= max(0, {})  # of the work-group; {} of the one followed", text, trips);
}

}  // namespace

std::string TripTexts::count_text(std::uint32_t loop, const LoopCounts& counts, std::uint64_t trips,
                                  std::uint64_t per) {
  if (const auto by_group = profile_.samples.trips.find(loop); by_group != profile_.samples.trips.end())
    return group_text(by_group->second, trips);
  const auto fixed = profile_.trips.fixed.find(loop);
  if (fixed != profile_.trips.fixed.end()) return fmt::format("{}  # {}", trips, fixed->second);
  const auto found = profile_.trips.expressions.find(loop);
  if (found == profile_.trips.expressions.end()) return std::to_string(trips);
  if (counts.entries != per) return fmt::format("{}  # changes with arg{}", trips, found->second.argument);
  const TripExpression& expression = found->second;
  const std::string name = fmt::format("arg{}", expression.argument);
  add_parameter(name, expression);
  std::string text = expression.numerator == 1 ? name : fmt::format("{} * {}", expression.numerator, name);
  if (expression.addend > 0) text += fmt::format(" + {}", expression.addend);
  if (expression.addend < 0) text += fmt::format(" - {}", -expression.addend);
  if (expression.denominator > 1)
    text = fmt::format("floor({} / {})", expression.addend == 0 ? text : "(" + text + ")", expression.denominator);
  return fmt::format("= max(0, {})  # {}", text, trips);
}

void TripTexts::add_parameter(const std::string& name, const TripExpression& trips) {
  const auto same = [&](const auto& parameter) { return parameter.first == name; };
  if (std::any_of(parameters_.begin(), parameters_.end(), same)) return;
  const auto found = profile_.arguments.find({trips.argument, 0});
  parameters_.emplace_back(name, found == profile_.arguments.end() ? 0 : found->second);
}

}  // namespace gdsim
