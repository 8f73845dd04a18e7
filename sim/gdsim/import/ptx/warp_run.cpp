#include <gdsim/import/ptx/warp_run.hpp>

#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gdsim {
namespace {

constexpr unsigned kAddressBits = 56;

constexpr std::uint32_t bit(std::uint32_t lane) { return std::uint32_t{1} << lane; }

}  // namespace

WarpRun::WarpRun(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t warp, BlockLog& log,
                 UnresolvedInputs& unresolved)
    : kernel_(kernel),
      launch_(launch),
      log_(log),
      slice_(log.slice()),
      unresolved_(unresolved),
      registers_(log.slice().slots),
      iteration_(kernel.flow.loops.size()) {
  for (std::size_t i = 0; i < 3; ++i) {
    special_[SpecialRegister::ntid + i] = LaneValues::all(launch.block[i]);
    special_[SpecialRegister::nctaid + i] = LaneValues::all(launch.grid[i]);
    special_[SpecialRegister::tid + i] = LaneValues::all(0);
  }
  special_[SpecialRegister::laneid] = LaneValues::all(0);
  special_[SpecialRegister::warpid] = LaneValues::all(warp);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t item = warp * kLanes + lane;
    special_[SpecialRegister::tid].bits[lane] = item % launch.block[0];
    special_[SpecialRegister::tid + 1].bits[lane] = item / launch.block[0] % launch.block[1];
    special_[SpecialRegister::tid + 2].bits[lane] = item / launch.block[0] / launch.block[1];
    special_[SpecialRegister::laneid].bits[lane] = lane;
    if (item < launch.items()) lanes_ |= bit(lane);
  }
}

void WarpRun::begin(const std::array<std::uint64_t, 3>& group, GroupTranslation* translation) {
  translation_ = translation;
  for (std::size_t i = 0; i < 3; ++i) special_[SpecialRegister::ctaid + i] = LaneValues::all(group[i]);
  for (LaneValues& value : registers_) value.known = value.origin = 0;
  common_block_ = 0;
  live_ = lanes_;
  inside_.clear();
  std::fill(iteration_.begin(), iteration_.end(), 0);
  skip_ = {};
}

/// An absent source has an unknown value.
const LaneValues& WarpRun::value_of(const ValueSource& source) const {
  static const LaneValues kNothing = LaneValues::unknown(~std::uint32_t{0} - 1);
  switch (source.kind) {
    case ValueSource::Form::none: return kNothing;
    case ValueSource::Form::reg: return value_of_register(source.index);
    case ValueSource::Form::special: return special_[source.index];
    default: return kernel_.constants[source.index];
  }
}

LaneValues WarpRun::negated_predicate(const ValueSource& source) const {
  LaneValues value = value_of(source);
  for (std::uint64_t& bits : value.bits) bits ^= 1;
  return value;
}

void WarpRun::write(std::uint32_t destination, const LaneValues& value, std::uint32_t mask) {
  if (!slice_.needs(destination)) return;
  LaneValues& to = registers_[slice_.slot[destination]];
  if (mask == kAllLanes) {
    to = value;
    return;
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((mask & bit(lane)) != 0) to.bits[lane] = value.bits[lane];
  to.known = (to.known & ~mask) | (value.known & mask);
  if (!value.is_known(mask)) to.origin = value.origin;
}

/// The instruction's results are unknown from now on.
void WarpRun::lose(std::uint32_t number, std::uint32_t active) {
  for (const std::uint32_t destination : kernel_.instructions[number].destinations)
    if (slice_.needs(destination)) write(destination, LaneValues::unknown(number), active);
}

/// The lanes that execute the instruction; all if the predicate is unknown, which then becomes unresolved.
std::uint32_t WarpRun::guarded(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (!instruction.predicate) return active;
  const LaneValues& predicate = value_of_register(*instruction.predicate);
  if (!predicate.is_known(active)) {
    const PtxRole role = instruction.traits.role;
    if (role != PtxRole::arithmetic && role != PtxRole::free) unresolved_.add_predicate(number, predicate);
    const auto found = launch_.branches.find(kernel_.kernel->instructions[number].line);
    if (found != launch_.branches.end()) return found->second ? active : 0;
    for (const std::uint32_t destination : instruction.destinations) {
      if (!slice_.needs(destination)) continue;
      LaneValues unknown = LaneValues::unknown(number);
      unknown.origin = predicate.origin == 0 ? unknown.origin : predicate.origin;
      write(destination, unknown, active);
    }
    return role == PtxRole::arithmetic || role == PtxRole::free ? 0 : active;
  }
  std::uint32_t mask = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    mask |= static_cast<std::uint32_t>(predicate.bits[lane] & 1) << lane;
  return active & (instruction.is_predicate_negated ? ~mask : mask);
}

/// Returns true only if all active lanes address memory: a quick test for the usual case.
bool WarpRun::have_memory(const PtxClass& traits, std::uint32_t bytes, const LaneValues& addresses,
                          std::uint32_t active) const {
  const bool is_shared = traits.space == PtxSpace::shared;
  if (traits.space == PtxSpace::generic || (is_shared && kernel_.shared_bytes < bytes)) return false;
  const std::uint64_t last = is_shared ? kernel_.shared_bytes - bytes : (std::uint64_t{1} << kAddressBits) - 1;
  std::uint64_t beyond = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t address = addresses.bits[lane] & active_bits(active, lane);
    beyond |= (last - address) | address;  // the highest bit is set if the address is above
  }
  return (beyond >> 63) == 0;
}

/// Refuses the instruction if an active lane addresses no memory, and returns false then. Shared memory is below 2^40,
/// as far as the work-group has any; other addresses have at most 56 bits.
bool WarpRun::require_memory_at(std::uint32_t number, const LaneValues& addresses, std::uint32_t active) {
  const PtxClass& traits = kernel_.instructions[number].traits;
  const std::uint32_t bytes = request_bytes(traits);
  if (have_memory(traits, bytes, addresses, active)) return true;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((active & bit(lane)) == 0) continue;
    const std::uint64_t address = addresses.bits[lane];
    const bool is_shared =
        traits.space == PtxSpace::shared || (traits.space == PtxSpace::generic && (address >> kPointerBits) == 0);
    if (!is_shared && (address >> kAddressBits) == 0) continue;
    if (is_shared && address < kernel_.shared_bytes && bytes <= kernel_.shared_bytes - address) continue;
    unresolved_.refuse(
        number, is_shared
                    ? fmt::format("this access touches bytes {} to {} of shared memory, of which a work-group has "
                                  "{}: does --block have another shape (X,Y,Z), or does --shared BYTES give more?",
                                  static_cast<std::int64_t>(address), static_cast<std::int64_t>(address + bytes - 1),
                                  kernel_.shared_bytes)
                    : fmt::format("this access has the address {:#x}, where no memory is; check --arg", address));
    return false;
  }
  return true;
}

void WarpRun::access(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (slice_.is_followed[number]) {
    const LaneValues& base = value_of(instruction.address);
    if (instruction.traits.is_bulk) {
      copy_bulk(number, active);
    } else if (!base.is_known(active)) {
      if (const auto sectors = unresolved_.sectors_of(number, base)) log_.on_gather(number, active, *sectors);
    } else {
      LaneValues addresses = base;
      for (std::uint64_t& bits : addresses.bits) bits += instruction.offset;
      access_at(number, addresses, active);
    }
  }
  lose(number, active);
}

void WarpRun::access_at(std::uint32_t number, const LaneValues& addresses, std::uint32_t active) {
  const PtxClass& traits = kernel_.instructions[number].traits;
  if (traits.layout == PtxLayout::by_tile) return access_tile(number, addresses, active);
  if (traits.layout == PtxLayout::by_row && traits.rows < kLanes) active &= bit(traits.rows) - 1;
  if (active != 0) log_access(number, addresses, active);
}

void WarpRun::log_access(std::uint32_t number, const LaneValues& addresses, std::uint32_t active) {
  if (!require_memory_at(number, addresses, active)) return;
  if (translation_ != nullptr) translation_->on_access(number, addresses, active);
  log_.on_access(number, addresses, active);
}

/// The lanes of a warp load a tile together, pieces of 16 bytes, or whole rows if these are smaller.
void WarpRun::access_tile(std::uint32_t number, const LaneValues& base, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  const LaneValues& stride = value_of(instruction.amount);
  if (!stride.is_known(active))
    return unresolved_.refuse(number, "the stride of this tile is not known: it depends on data");
  const auto first = static_cast<std::uint32_t>(std::countr_zero(active));
  const std::uint64_t element = bytes_of_type(kernel_.kernel->instructions[number].last_part());
  constexpr std::uint64_t piece = 16;
  const std::uint64_t by_row = std::max<std::uint64_t>(1, instruction.traits.bytes / piece);
  const std::uint64_t pieces = by_row * instruction.traits.rows;
  for (std::uint64_t begin = 0; begin < pieces; begin += kLanes) {
    LaneValues addresses = base;
    const std::uint64_t count = std::min<std::uint64_t>(kLanes, pieces - begin);
    for (std::uint64_t i = 0; i < count; ++i)
      addresses.bits[i] =
          base.bits[first] + (begin + i) / by_row * stride.bits[first] * element + (begin + i) % by_row * piece;
    const std::uint32_t lanes = count == kLanes ? kAllLanes : bit(static_cast<std::uint32_t>(count)) - 1;
    log_access(number, addresses, lanes);
  }
}

void WarpRun::copy_bulk(std::uint32_t number, std::uint32_t active) {
  const LaneValues& bytes = value_of(kernel_.instructions[number].amount);
  if (!bytes.is_known(active))
    return unresolved_.refuse(number, "how many bytes this copy has depends on data; make it a constant");
  std::uint64_t all = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((active & bit(lane)) != 0) all += bytes.bits[lane];
  log_.on_bulk_copy(number, active, all);
  if (const auto barrier = address_in(number, active)) log_.on_expectation(*barrier);
}

/// The address in the lowest active lane, if it is known.
std::optional<std::uint64_t> WarpRun::address_in(std::uint32_t number, std::uint32_t active) const {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (instruction.address.kind == ValueSource::Form::none || active == 0) return std::nullopt;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(active));
  const LaneValues& base = value_of(instruction.address);
  if (!base.is_known(bit(lane))) return std::nullopt;
  return base.bits[lane] + instruction.offset;
}

void WarpRun::await(std::uint32_t number, std::uint32_t active) {
  if (!slice_.is_followed[number]) return;
  if (const auto barrier = address_in(number, active)) log_.on_wait(number, *barrier);
}

void WarpRun::calculate(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (!instruction.loaded.empty()) {
    for (std::size_t i = 0; i < instruction.loaded.size(); ++i)
      write(instruction.destinations[i], kernel_.constants[instruction.loaded[i]], active);
  } else if (instruction.result != LaneResult::computed && !instruction.destinations.empty()) {
    write(instruction.destinations.front(), lane_result(instruction, active, number), active);
    if (instruction.destinations.size() > 1 && slice_.needs(instruction.destinations[1]))
      write(instruction.destinations[1], LaneValues::unknown(number), active);
  } else if (!instruction.operation) {
    lose(number, active);
  } else {
    evaluate_operation(number, active);
  }
}

LaneValues WarpRun::lane_result(const PreparedInstruction& instruction, std::uint32_t active,
                                std::uint32_t number) const {
  if (instruction.result == LaneResult::shuffled) return shuffled(instruction, number);
  if (instruction.result == LaneResult::active) return LaneValues::all(active);
  LaneValues result = LaneValues::all(instruction.result == LaneResult::always_true ? 1 : 0);
  if (instruction.result == LaneResult::elected && active != 0)
    result.bits[static_cast<std::size_t>(std::countr_zero(active))] = 1;
  return result;
}

/// Each lane gets the value of another one of its segment, or keeps its own. Source: PTX ISA 9.0, `shfl.sync`.
LaneValues WarpRun::shuffled(const PreparedInstruction& instruction, std::uint32_t number) const {
  const LaneValues& value = value_of(instruction.sources[0]);
  const LaneValues& lane_numbers = value_of(instruction.sources[1]);
  const LaneValues& clamp = value_of(instruction.sources[2]);
  if (!lane_numbers.is_known(kAllLanes) || !clamp.is_known(kAllLanes)) return LaneValues::unknown(number);
  LaneValues result = value;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto segments = static_cast<std::uint32_t>(clamp.bits[lane] >> 8) & 31;
    const auto limit = static_cast<std::uint32_t>(clamp.bits[lane]) & 31;
    const auto distance = static_cast<std::uint32_t>(lane_numbers.bits[lane]) & 31;
    const std::uint32_t last = (lane & segments) | (limit & ~segments);
    std::uint32_t from = lane;
    if (instruction.shuffle == 'i') from = (lane & segments) | (distance & ~segments);
    if (instruction.shuffle == 'b') from = lane ^ distance;
    if (instruction.shuffle == 'd') from = lane + distance;
    if (instruction.shuffle == 'u' && lane >= distance + last) from = lane - distance;
    if (instruction.shuffle != 'u' && from > last) from = lane;
    result.bits[lane] = value.bits[from];
    if (((value.known >> from) & 1) == 0) result.known &= ~bit(lane);
  }
  if (result.known != kAllLanes && result.origin == 0) result.origin = number + 1;
  return result;
}

void WarpRun::evaluate_operation(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (!slice_.needs(instruction.destinations.front())) return;
  std::array<const LaneValues*, 4> operands{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ValueSource& source = instruction.sources[i];
    if (source.kind == ValueSource::Form::none) continue;
    if (source.is_negated) negated_[i] = negated_predicate(source);
    operands[i] = source.is_negated ? &negated_[i] : &value_of(source);
  }
  if (translation_ != nullptr) translation_->on_operation(number, operands, active);
  LaneValues& to = registers_[slice_.slot[instruction.destinations.front()]];
  const bool is_direct = active == kAllLanes && std::find(operands.begin(), operands.end(), &to) == operands.end();
  evaluate(*instruction.operation, operands, number, is_direct ? to : result_);
  if (!is_direct) write(instruction.destinations.front(), result_, active);
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
    case PtxRole::copy:
    case PtxRole::atomic: return access(number, active);
    case PtxRole::await: await(number, active); return calculate(number, active);
    case PtxRole::end: live_ &= ~active; return;
    case PtxRole::branch: return;
    default: return calculate(number, active);
  }
}

std::uint32_t WarpRun::taken_lanes(std::uint32_t number, std::uint32_t active) {
  const PreparedInstruction& instruction = kernel_.instructions[number];
  if (instruction.predicate) {
    const LaneValues& predicate = value_of_register(*instruction.predicate);
    if (!predicate.is_known(active)) return unresolved_.resolve_branch(number, predicate, iteration_) ? active : 0;
  }
  return guarded(number, active);
}

void WarpRun::leave_block(std::uint32_t block, std::uint32_t active) {
  const std::uint32_t last = kernel_.flow.blocks[block].end - 1;
  const PreparedInstruction& instruction = kernel_.instructions[last];
  std::uint32_t taken = instruction.traits.role == PtxRole::branch ? taken_lanes(last, active) : 0;
  active &= live_;
  taken &= active;
  go_to(instruction.target, taken);
  go_to(block + 1, active & ~taken);
}

void WarpRun::go_to(std::uint32_t block, std::uint32_t lanes) {
  if (lanes == 0) return;
  if (block >= kernel_.flow.blocks.size()) {
    live_ &= ~lanes;
  } else if (lanes == live_) {
    common_block_ = block;
  } else {
    if (common_block_) block_.fill(*common_block_);
    common_block_.reset();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if ((lanes & bit(lane)) != 0) block_[lane] = block;
  }
}

/// Finds the lanes at the earliest block, if not all are at the same.
std::uint32_t WarpRun::earliest_lanes() {
  if (common_block_) return live_;
  std::uint32_t block = ~std::uint32_t{0};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((live_ & bit(lane)) != 0) block = std::min(block, block_[lane]);
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((live_ & bit(lane)) != 0 && block_[lane] == block) lanes |= bit(lane);
  if (lanes == live_) common_block_ = block;
  return lanes;
}

void WarpRun::follow_loops(std::uint32_t block, std::uint32_t active) {
  while (!inside_.empty() && !kernel_.flow.loops[inside_.back()].holds(block)) inside_.pop_back();
  const auto loop = kernel_.flow.blocks[block].loop;
  if (!loop || kernel_.flow.loops[*loop].head != block) return;
  const bool is_inside = std::find(inside_.begin(), inside_.end(), *loop) != inside_.end();
  if (!is_inside) {
    inside_.push_back(*loop);
    iteration_[*loop] = 0;
  }
  ++iteration_[*loop];
  if (const RegularLoop* regular = log_.regular_loop(*loop); regular != nullptr && active == live_)
    iteration_[*loop] += skip_.at_head(*regular, iteration_[*loop], kernel_, slice_, registers_, log_);
  log_.on_iteration(*loop, !is_inside);
}

WarpRun::State WarpRun::run_block() {
  if (live_ == 0 || kernel_.flow.blocks.empty()) return State::ended;
  const std::uint32_t active = earliest_lanes();
  const std::uint32_t block =
      common_block_ ? *common_block_ : block_[static_cast<std::size_t>(std::countr_zero(active))];
  follow_loops(block, active);
  log_.on_block(block);
  for (const std::uint32_t number : slice_.by_block[block]) execute(number, active & live_);
  const bool waits = kernel_.instructions[kernel_.flow.blocks[block].end - 1].traits.role == PtxRole::barrier;
  leave_block(block, active);
  if (live_ == 0) return State::ended;
  return waits ? State::at_barrier : State::ready;
}

}  // namespace gdsim
