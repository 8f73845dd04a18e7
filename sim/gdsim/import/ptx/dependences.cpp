#include <gdsim/import/ptx/program_segment.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gdsim {
namespace {

using Form = PtxOperand::Form;

template <class Visit>
void for_each_register(const PtxOperand& operand, const Visit& visit) {
  if (operand.kind == Form::reg) visit(operand.index);
  for (const PtxOperand& item : operand.items) for_each_register(item, visit);
}

/// Calls `visit` with each register that the instruction reads.
template <class Visit>
void for_each_read(const PreparedKernel& kernel, std::uint32_t number, const Visit& visit) {
  const PtxInstruction& instruction = kernel.kernel->instructions[number];
  if (instruction.predicate) visit(*instruction.predicate);
  const std::size_t first = kernel.instructions[number].destinations.empty() ? 0 : 1;
  for (std::size_t i = first; i < instruction.operands.size(); ++i) for_each_register(instruction.operands[i], visit);
}

/// The address of an access: a register and an offset; nullptr: it has none.
const PtxOperand* address_of(const PtxInstruction& instruction) {
  for (const PtxOperand& operand : instruction.operands)
    if (operand.kind == Form::address && operand.items.front().kind == Form::reg) return &operand;
  return nullptr;
}

constexpr std::uint32_t kNoRegister = std::numeric_limits<std::uint32_t>::max();

std::uint32_t base_of(const PtxInstruction& instruction) {
  const PtxOperand* const address = address_of(instruction);
  return address == nullptr ? kNoRegister : address->items.front().index;
}

bool is_write(PtxRole role) { return role == PtxRole::store || role == PtxRole::atomic; }

/// Some lanes requested it, be it by an instruction that machine code joins to it.
bool is_requested(const AccessCounts& counts) {
  return counts.requests > 0 || counts.is_shared || counts.low_bits != 0;
}

/// Gives the value to what the instruction writes.
template <class Value>
void write_results(const PreparedKernel& kernel, std::uint32_t number, Value value, RegisterValues<Value>& values) {
  const PreparedInstruction& instruction = kernel.instructions[number];
  const std::uint32_t block = kernel.flow.block_at[number];
  for (const std::uint32_t reg : instruction.destinations)
    values.write(reg, value, block, instruction.predicate.has_value());
  const std::vector<std::uint32_t>& next = kernel.flow.blocks[block].successors;
  if (instruction.traits.role == PtxRole::branch && !next.empty())
    values.branch(block, *std::max_element(next.begin(), next.end()));
}

}  // namespace

std::size_t LoadLevels::space_of(std::uint32_t instruction) const {
  const PtxSpace space = kernel_.instructions[instruction].traits.space;
  return space == PtxSpace::shared ? 0 : space == PtxSpace::local ? 1 : 2;
}

std::uint32_t LoadLevels::level_of_reads(std::uint32_t instruction) const {
  std::uint32_t level = control_;
  for_each_read(kernel_, instruction, [&](std::uint32_t reg) { level = std::max(level, level_of_.value_of(reg)); });
  return level;
}

std::uint32_t LoadLevels::level_of_stores_before(std::uint32_t load) const {
  const PtxInstruction& instruction = kernel_.kernel->instructions[load];
  const Space& space = spaces_[space_of(load)];
  if (instruction.has_part("nc")) return 0;
  if (instruction.has_part("volatile")) return space.level;
  const PtxOperand* const address = address_of(instruction);
  if (address == nullptr) return space.level;
  const std::uint32_t base = base_of(instruction);
  std::uint32_t level = space.base == base ? space.level_of_others : space.level;
  if (const auto found = space.by_base.find(base); found != space.by_base.end()) {
    const std::int64_t end = address->value + kernel_.instructions[load].traits.bytes;
    if (address->value < found->second.end && end > found->second.first) level = std::max(level, found->second.level);
  }
  return level;
}

void LoadLevels::add_store(std::uint32_t instruction, std::uint32_t level) {
  const PtxInstruction& at = kernel_.kernel->instructions[instruction];
  const std::uint32_t base = base_of(at);
  Space& space = spaces_[space_of(instruction)];
  if (level > space.level) {
    if (space.base != base) space.level_of_others = space.level;
    space.level = level;
    space.base = base;
  } else if (base != space.base) {
    space.level_of_others = std::max(space.level_of_others, level);
  }
  if (base == kNoRegister) return;
  const std::int64_t first = address_of(at)->value;
  const std::int64_t end = first + kernel_.instructions[instruction].traits.bytes;
  const auto [found, is_new] = space.by_base.try_emplace(base, Written{level, first, end});
  if (is_new) return;
  found->second.level = std::max(found->second.level, level);
  found->second.first = std::min(found->second.first, first);
  found->second.end = std::max(found->second.end, end);
}

void LoadLevels::add(std::uint32_t instruction, bool each_time) {
  const PreparedInstruction& prepared = kernel_.instructions[instruction];
  const PtxRole role = prepared.traits.role;
  std::uint32_t level = level_of_reads(instruction);
  if (role == PtxRole::load) level = std::max(level, level_of_stores_before(instruction));
  if (is_write(role)) add_store(instruction, level);
  if (role == PtxRole::branch) control_ = level;
  if (role == PtxRole::load && each_time) last_load_ = std::max(last_load_, level);
  const bool is_awaited = each_time && (role == PtxRole::load || role == PtxRole::atomic);
  write_results(kernel_, instruction, level + (is_awaited ? 1 : 0), level_of_);
  added_.emplace_back(instruction, level);
}

std::vector<std::vector<std::uint32_t>> LoadLevels::by_level() const {
  std::vector<std::vector<std::uint32_t>> levels(std::size_t{last_load_} + 1);
  for (const auto& [instruction, level] : added_) levels[std::min(level, last_load_)].push_back(instruction);
  return levels;
}

void LoadLevels::clear() {
  level_of_.clear();
  spaces_ = {};
  control_ = last_load_ = 0;
  added_.clear();
}

void OpenSegment::add(const ExecutionCounts& counts, std::uint32_t instruction, bool each_time) {
  PtxSegment added;
  added.add(kernel_, counts, instruction);
  copied += added.copied;
  levels_.add(instruction, each_time && is_requested(counts.accesses[instruction]));
}

std::vector<PtxSegment> OpenSegment::close(const ExecutionCounts& counts) {
  std::vector<PtxSegment> levels;
  for (const std::vector<std::uint32_t>& level : levels_.by_level()) {
    levels.emplace_back();
    for (const std::uint32_t instruction : level) levels.back().add(kernel_, counts, instruction);
    if (levels.back().is_empty()) levels.pop_back();
  }
  levels_.clear();
  return levels;
}

namespace {

/// Follows when the results of instructions are ready, in cycles, if no instruction waits for anything but its
/// operands. Accesses to memory take no time here: steps of their own wait for them.
class ReadyTimes {
 public:
  ReadyTimes(const PreparedKernel& kernel, const DeviceSpec& device) : kernel_(kernel), device_(device) {
    for (std::size_t i = 0; i < kIssueKinds.size(); ++i)
      for (const ArithmeticRate& rate : device.arithmetic)
        if (rate.kind == kIssueKinds[i] && rate.latency) latencies_[i] = approximate(*rate.latency);
  }

  bool has_latencies() const {
    return std::any_of(latencies_.begin(), latencies_.end(), [](double latency) { return latency > 0; });
  }

  /// The latencies of the instructions of machine code that it becomes, one after the other.
  double latency_of(std::uint32_t instruction) const {
    return sum_of(instruction, [](std::size_t, double cost) { return std::ceil(cost); });
  }

  /// The latencies of what stands for it in a step.
  double latency_in_step(std::uint32_t instruction) const {
    return sum_of(instruction, [&](std::size_t i, double cost) { return cost * step_instructions(i, device_); });
  }

  void execute(std::uint32_t instruction) {
    double ready = 0;
    for_each_read(kernel_, instruction, [&](std::uint32_t reg) { ready = std::max(ready, ready_.value_of(reg)); });
    ready += latency_of(instruction);
    write_results(kernel_, instruction, ready, ready_);
    last_ = std::max(last_, ready);
  }

  double last() const { return last_; }

 private:
  template <class Number>
  double sum_of(std::uint32_t instruction, const Number& number) const {
    const PreparedInstruction& prepared = kernel_.instructions[instruction];
    double sum = 0;
    for (std::size_t i = 0; i < latencies_.size() && prepared.traits.role == PtxRole::arithmetic; ++i)
      sum += number(i, prepared.costs[i]) * latencies_[i];
    return sum;
  }

  const PreparedKernel& kernel_;
  const DeviceSpec& device_;
  std::array<double, kIssueKinds.size()> latencies_{};
  RegisterValues<double> ready_;
  double last_ = 0;
};

/// The blocks of a loop that no inner loop holds, or of the kernel outside of loops, that most iterations execute.
std::vector<std::uint32_t> own_blocks(const KernelProfile& profile, std::optional<std::uint32_t> loop,
                                      std::uint64_t iterations) {
  std::vector<std::uint32_t> blocks;
  for (std::uint32_t block = 0; block < profile.kernel->flow.blocks.size(); ++block)
    if (profile.kernel->flow.blocks[block].loop == loop && 2 * profile.log->executions[block] > iterations)
      blocks.push_back(block);
  return blocks;
}

/// The cycles by which one iteration of these blocks delays what depends on it.
double chain_of(const KernelProfile& profile, const DeviceSpec& device, const std::vector<std::uint32_t>& blocks,
                bool is_loop) {
  ReadyTimes times(*profile.kernel, device);
  const auto iterate = [&](int count) {
    for (int i = 0; i < count; ++i)
      for (const std::uint32_t block : blocks)
        for (std::uint32_t at = profile.kernel->flow.blocks[block].begin; at < profile.kernel->flow.blocks[block].end;
             ++at)
          times.execute(at);
    return times.last();
  };
  if (!is_loop) return iterate(1);
  constexpr int begin = 2;  // the first iterations do not depend on each other in full
  constexpr int more = 2;
  const double before = iterate(begin);
  return (iterate(more) - before) / more;
}

}  // namespace

std::optional<std::uint32_t> dependence_of(const KernelProfile& profile, const DeviceSpec& device) {
  const PreparedKernel& kernel = *profile.kernel;
  const ReadyTimes times(kernel, device);
  if (!times.has_latencies()) return std::nullopt;
  double chain = 0;
  const auto add = [&](std::optional<std::uint32_t> loop, std::uint64_t iterations) {
    const auto known = profile.machine_code.stalls.find(loop);
    const double each = known != profile.machine_code.stalls.end()
                            ? known->second
                            : chain_of(profile, device, own_blocks(profile, loop, iterations), loop.has_value());
    chain += static_cast<double>(iterations) * each;
  };
  add(std::nullopt, profile.warps);
  for (std::uint32_t loop = 0; loop < kernel.flow.loops.size(); ++loop)
    if (const std::uint64_t iterations = profile.log->loops[loop].iterations) add(loop, iterations);
  double all = 0;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const auto executions = static_cast<double>(profile.log->executions[kernel.flow.block_at[i]]);
    all += executions * times.latency_in_step(i);
  }
  const auto issued = whole_of(profile).issued;
  if (chain <= std::accumulate(issued.begin(), issued.end(), 0.0)) return std::nullopt;
  const auto fewer = static_cast<std::uint32_t>(std::clamp(all / chain, 1.0, 1e9));
  const bool fewer_is_nearer = all / fewer - chain < chain - all / (fewer + 1.0);
  return fewer_is_nearer ? fewer : fewer + 1;
}

}  // namespace gdsim
