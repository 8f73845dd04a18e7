#include <gdsim/import/ptx/warp_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gdsim {
namespace {

constexpr unsigned kAddressBits = 56;

constexpr std::uint32_t bit(std::uint32_t lane) { return std::uint32_t{1} << lane; }

}  // namespace

WarpRun::WarpRun(const PreparedKernel& kernel, const PtxLaunch& launch, const std::array<std::uint64_t, 3>& group,
                 std::uint64_t warp, BlockLog& log, UnresolvedInputs& unresolved)
    : kernel_(kernel),
      launch_(launch),
      log_(log),
      unresolved_(unresolved),
      registers_(kernel.kernel->registers.size()),
      iteration_(kernel.flow.loops.size()) {
  for (std::size_t i = 0; i < 3; ++i) {
    special_[3 + i] = LaneValues::all(launch.block[i]);
    special_[6 + i] = LaneValues::all(group[i]);
    special_[9 + i] = LaneValues::all(launch.grid[i]);
    special_[i] = LaneValues::all(0);
  }
  special_[12] = LaneValues::all(0);
  special_[13] = LaneValues::all(warp);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t item = warp * kLanes + lane;
    special_[0].bits[lane] = item % launch.block[0];
    special_[1].bits[lane] = item / launch.block[0] % launch.block[1];
    special_[2].bits[lane] = item / launch.block[0] / launch.block[1];
    special_[12].bits[lane] = lane;
    if (item < launch.items()) live_ |= bit(lane);
  }
}

const LaneValues& WarpRun::value_of(const ValueSource& source) const {
  switch (source.kind) {
    case ValueSource::Kind::reg: return registers_[source.index];
    case ValueSource::Kind::special: return special_[source.index];
    default: return kernel_.constants[source.index];
  }
}

LaneValues WarpRun::negated_predicate(const ValueSource& source) const {
  LaneValues value = value_of(source);
  for (std::uint64_t& bits : value.bits) bits ^= 1;
  return value;
}

void WarpRun::write(std::uint32_t destination, const LaneValues& value, std::uint32_t mask) {
  LaneValues& to = registers_[destination];
  if (mask == kAllLanes) {
    to = value;
    return;
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((mask & bit(lane)) != 0) to.bits[lane] = value.bits[lane];
  to.known = (to.known & ~mask) | (value.known & mask);
  if (!value.is_known(mask)) to.origin = value.origin;
}

/// The lanes that execute the instruction; all if the predicate is unknown, which then becomes unresolved.
std::uint32_t WarpRun::guarded(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (!instruction.predicate) return active;
  const LaneValues& predicate = registers_[*instruction.predicate];
  if (!predicate.is_known(active)) {
    const PtxRole role = instruction.traits.role;
    if (role != PtxRole::arithmetic && role != PtxRole::free) unresolved_.add_predicate(number, predicate);
    const auto found = launch_.branches.find(kernel_.kernel->instructions[number].line);
    if (found != launch_.branches.end()) return found->second ? active : 0;
    for (const std::uint32_t destination : instruction.destinations) {
      LaneValues unknown = LaneValues::unknown(number);
      unknown.origin = predicate.origin == 0 ? unknown.origin : predicate.origin;
      write(destination, unknown, active);
    }
    return role == PtxRole::arithmetic || role == PtxRole::free ? 0 : active;
  }
  std::uint32_t mask = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (((predicate.bits[lane] & 1) != 0) != instruction.is_predicate_negated) mask |= bit(lane);
  return active & mask;
}

/// Refuses the instruction if an active lane addresses no memory, and returns false then. Shared memory is below 2^40,
/// as far as the work-group has any; other addresses have at most 56 bits.
bool WarpRun::require_memory_at(std::uint32_t number, const LaneValues& addresses, std::uint32_t active) {
  const PtxClass& traits = kernel_.instructions[number].traits;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((active & bit(lane)) == 0) continue;
    const std::uint64_t address = addresses.bits[lane];
    const bool is_shared =
        traits.space == PtxSpace::shared || (traits.space == PtxSpace::generic && (address >> kPointerBits) == 0);
    if (!is_shared && (address >> kAddressBits) == 0) continue;
    if (is_shared && address < kernel_.shared_bytes && traits.bytes <= kernel_.shared_bytes - address) continue;
    unresolved_.refuse(
        number, is_shared
                    ? fmt::format("this access touches bytes {} to {} of shared memory, of which a work-group has "
                                  "{}; more is given by --shared BYTES",
                                  static_cast<std::int64_t>(address),
                                  static_cast<std::int64_t>(address + traits.bytes - 1), kernel_.shared_bytes)
                    : fmt::format("this access has the address {:#x}, where no memory is; check --arg", address));
    return false;
  }
  return true;
}

void WarpRun::access(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  static const LaneValues kNothing = LaneValues::unknown(~std::uint32_t{0} - 1);
  const LaneValues& base =
      instruction.address.kind == ValueSource::Kind::none ? kNothing : value_of(instruction.address);
  if (!base.is_known(active)) {
    if (const auto sectors = unresolved_.sectors_of(number, base)) log_.on_gather(number, active, *sectors);
  } else {
    LaneValues addresses = base;
    for (std::uint64_t& bits : addresses.bits) bits += instruction.offset;
    if (require_memory_at(number, addresses, active)) log_.on_access(number, addresses, active);
  }
  for (const std::uint32_t destination : instruction.destinations)
    write(destination, LaneValues::unknown(number), active);
}

void WarpRun::calculate(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (!instruction.loaded.empty()) {
    for (std::size_t i = 0; i < instruction.loaded.size(); ++i)
      write(instruction.destinations[i], kernel_.constants[instruction.loaded[i]], active);
    return;
  }
  if (!instruction.operation) {
    for (const std::uint32_t destination : instruction.destinations)
      write(destination, LaneValues::unknown(number), active);
    return;
  }
  std::array<const LaneValues*, 4> operands{};
  std::array<LaneValues, 4> negated;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ValueSource& source = instruction.sources[i];
    if (source.kind == ValueSource::Kind::none) continue;
    if (source.is_negated) negated[i] = negated_predicate(source);
    operands[i] = source.is_negated ? &negated[i] : &value_of(source);
  }
  write(instruction.destinations.front(), evaluate(*instruction.operation, operands, number), active);
}

void WarpRun::leave_flow(std::uint32_t number, std::uint32_t active) {
  unresolved_.refuse(number, kernel_.kernel->instructions[number].name() == "trap"
                                 ? "the kernel is executed up to this trap, which stops it with an error; check --arg"
                                 : "a branch through a table is not executed; write the switch as if and else");
  live_ &= ~active;
}

void WarpRun::execute(std::uint32_t number, std::uint32_t active) {
  active = guarded(number, active);
  if (active == 0) return;
  if (kernel_.instructions[number].leaves_flow) return leave_flow(number, active);
  switch (kernel_.instructions[number].traits.role) {
    case PtxRole::load:
    case PtxRole::store:
    case PtxRole::atomic: return access(number, active);
    case PtxRole::end: live_ &= ~active; return;
    case PtxRole::branch: return;
    case PtxRole::barrier:
    case PtxRole::free:
    case PtxRole::arithmetic:
    case PtxRole::unsupported: return calculate(number, active);
  }
}

std::uint32_t WarpRun::taken_lanes(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (instruction.predicate) {
    const LaneValues& predicate = registers_[*instruction.predicate];
    if (!predicate.is_known(active)) return unresolved_.resolve_branch(number, predicate, iteration_) ? active : 0;
  }
  return guarded(number, active);
}

void WarpRun::leave_block(std::uint32_t block, std::uint32_t active) {
  const std::uint32_t last = kernel_.flow.blocks[block].end - 1;
  const PreparedInstruction& instruction = kernel_.instructions[last];
  const std::uint32_t taken = instruction.traits.role == PtxRole::branch ? taken_lanes(last, active) : 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((active & live_ & bit(lane)) == 0) continue;
    block_[lane] = (taken & bit(lane)) != 0 ? instruction.target : block + 1;
    if (block_[lane] >= kernel_.flow.blocks.size()) live_ &= ~bit(lane);
  }
}

void WarpRun::follow_loops(std::uint32_t block) {
  while (!inside_.empty() && !kernel_.flow.loops[inside_.back()].holds(block)) inside_.pop_back();
  const auto loop = kernel_.flow.blocks[block].loop;
  if (!loop || kernel_.flow.loops[*loop].head != block) return;
  const bool is_inside = std::find(inside_.begin(), inside_.end(), *loop) != inside_.end();
  if (!is_inside) {
    inside_.push_back(*loop);
    iteration_[*loop] = 0;
  }
  ++iteration_[*loop];
  log_.on_iteration(*loop, !is_inside);
}

WarpRun::State WarpRun::run_block() {
  if (live_ == 0 || kernel_.flow.blocks.empty()) return State::ended;
  std::uint32_t block = ~std::uint32_t{0};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((live_ & bit(lane)) != 0) block = std::min(block, block_[lane]);
  std::uint32_t active = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((live_ & bit(lane)) != 0 && block_[lane] == block) active |= bit(lane);
  follow_loops(block);
  log_.on_block(block);
  const BasicBlock& of = kernel_.flow.blocks[block];
  for (std::uint32_t number = of.begin; number < of.end; ++number)
    if (kernel_.instructions[number].traits.role != PtxRole::branch) execute(number, active & live_);
  const bool waits = kernel_.instructions[of.end - 1].traits.role == PtxRole::barrier;
  leave_block(block, active);
  if (live_ == 0) return State::ended;
  return waits ? State::at_barrier : State::ready;
}

}  // namespace gdsim
