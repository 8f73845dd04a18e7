#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

namespace gdsim {
namespace {

constexpr std::uint32_t kAllBits = ~std::uint32_t{0};

/// Returns true if the identifiers of a work-item are three fields of v0.
bool has_packed_items(std::string_view target) {
  return target.starts_with("gfx90a") || target.starts_with("gfx94") || target.starts_with("gfx95") ||
         target.starts_with("gfx11");
}

std::string reason_of_unsupported(const GcnInstruction& instruction) {
  const std::string name = printable(instruction.opcode);
  if (instruction.opcode.starts_with("s_branch") || instruction.opcode.starts_with("s_cbranch"))
    return fmt::format("{} goes to {}, which is no label of this kernel", name,
                       instruction.operands.empty() ? "nothing" : in_quotes(instruction.operands.front().text));
  return fmt::format(
      "{} has no step that stands for it{}", name,
      instruction.opcode.starts_with("s_swappc") ? ": it calls a function; have the compiler inline it" : "");
}

/// Returns true if the kernel has arguments whose values a user gives: neither hidden ones nor pointers.
bool has_values_by_user(const GcnKernel& kernel) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                     [](const GcnArgument& argument) { return !argument.is_hidden() && !argument.is_pointer(); });
}

}  // namespace

GcnWave::GcnWave(const GcnExecution& execution, const std::array<std::uint64_t, 3>& group, std::uint32_t number)
    : execution_(execution),
      number_(number),
      lanes_(execution.program.kernel->lanes),
      before_(kAllBits),
      iteration_(execution.program.loops.size()),
      scalars_(kGcnScalars),
      vectors_(std::size_t{2} * kGcnVectors) {
  const std::uint64_t first = std::uint64_t{number} * lanes_;
  const std::uint64_t items = std::min<std::uint64_t>(lanes_, execution.launch.items() - first);
  all_ = items >= kGcnLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << items) - 1;
  set(kGcnExec, static_cast<std::uint32_t>(all_));
  set(kGcnExec + 1, static_cast<std::uint32_t>(all_ >> 32));
  set(kGcnNull, 0);
  set_up_scalars(group);
  set_up_items();
}

/// Source: LLVM AMDGPUUsage, initial kernel execution state.
void GcnWave::set_up_scalars(const std::array<std::uint64_t, 3>& group) {
  const GcnKernel& kernel = *execution_.program.kernel;
  std::uint32_t next = 0;
  const auto put = [&](std::uint32_t bits) { set(next++, bits); };
  const auto put_pointer = [&](std::uint64_t address) {
    put(static_cast<std::uint32_t>(address));
    put(static_cast<std::uint32_t>(address >> 32));
  };
  const auto skip = [&](std::string_view name, std::uint32_t count) {
    if (kernel.directive(name) != 0) next += count;
  };
  skip("user_sgpr_private_segment_buffer", 4);
  if (kernel.directive("user_sgpr_dispatch_ptr") != 0) put_pointer(GcnConstants::kPacket);
  skip("user_sgpr_queue_ptr", 2);
  if (kernel.directive("user_sgpr_kernarg_segment_ptr") != 0) put_pointer(GcnConstants::kKernarg);
  skip("user_sgpr_dispatch_id", 2);
  skip("user_sgpr_flat_scratch_init", 2);
  skip("user_sgpr_private_segment_size", 1);
  const std::uint64_t preloaded = kernel.directive("user_sgpr_kernarg_preload_length");
  constexpr std::uint32_t max_user_registers = 16;
  for (std::uint64_t i = 0; i < preloaded && next < max_user_registers; ++i, ++next) {
    const std::uint64_t word = kernel.directive("user_sgpr_kernarg_preload_offset") + i;
    const auto origin = static_cast<std::uint32_t>(execution_.program.classes.size() + i);
    if (const auto bits = constant_word(GcnConstants::kKernarg + 4 * word, 4, origin))
      set(next, *bits);
    else
      scalars_[next] = {0, 0, origin + 1};
  }
  next = static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel.directive("user_sgpr_count", next), 32));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr std::array<std::string_view, 3> names{"system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y",
                                                    "system_sgpr_workgroup_id_z"};
    if (kernel.directive(names[axis], axis == 0 ? 1 : 0) != 0) put(static_cast<std::uint32_t>(group[axis]));
  }
}

void GcnWave::set_up_items() {
  const auto& block = execution_.launch.block;
  const bool is_packed = has_packed_items(execution_.program.kernel->target);
  constexpr unsigned field = 10;
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    const std::uint64_t item = std::uint64_t{number_} * lanes_ + lane;
    const std::array<std::uint64_t, 3> place{item % block[0], item / block[0] % block[1], item / block[0] / block[1]};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const auto part = static_cast<std::uint32_t>(place[axis]);
      vectors_[is_packed ? 0 : axis].bits[lane] |= is_packed ? part << (field * axis) : part;
    }
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    if (!is_packed || axis == 0) vectors_[axis].known = ~std::uint64_t{0};
}

std::uint64_t GcnWave::maybe_active() const {
  const GcnScalar& low = scalars_[kGcnExec];
  const GcnScalar& high = scalars_[kGcnExec + 1];
  return (low.bits | ~low.known) | (std::uint64_t{high.bits | ~high.known} << 32);
}

std::uint64_t GcnWave::surely_active() const {
  const GcnScalar& low = scalars_[kGcnExec];
  const GcnScalar& high = scalars_[kGcnExec + 1];
  return (low.bits & low.known) | (std::uint64_t{high.bits & high.known} << 32);
}

void GcnWave::follow_loops(std::uint32_t at) {
  const auto loop = execution_.program.loop_headed_by(at);
  if (!loop) return;
  GcnWaveCounts& counts = execution_.log.counts_of(number_);
  if (!execution_.program.loops[*loop].holds(before_)) {
    ++counts.entries[*loop];
    iteration_[*loop] = 0;
  }
  ++iteration_[*loop];
  ++counts.iterations[*loop];
}

bool GcnWave::resolve(std::uint32_t at, std::uint32_t origin) {
  const auto loop = execution_.program.loop_around(at);
  return execution_.inputs.resolve_branch(at, origin, loop ? iteration_[*loop] : 0);
}

/// If data decide lanes of `exec` that are then unknown, and with them the branch, all of these lanes count as alike:
/// behind the branch, all of them are active, or none is.
bool GcnWave::is_exec_branch_taken(std::uint32_t at, bool if_zero) {
  const std::uint64_t unknown = active() & ~surely_active();
  if (surely_active() != 0 || unknown == 0) return (active() == 0) == if_zero;
  const std::uint32_t origin = std::max(scalars_[kGcnExec].origin, scalars_[kGcnExec + 1].origin);
  const bool is_branch_taken = resolve(at, origin);
  const bool are_active = is_branch_taken != if_zero;
  const std::optional<GcnOperand> mask = std::exchange(mask_, std::nullopt);
  for (std::uint32_t word = 0; word < 2; ++word) {
    GcnScalar& exec = scalars_[kGcnExec + word];
    const std::uint32_t lanes = ~exec.known;
    exec.bits = are_active ? exec.bits | lanes : exec.bits & ~lanes;
    exec.known = kAllBits;
    if (!mask || word >= mask->count || !mask->is_scalar()) continue;
    GcnScalar& of_mask = scalars_[mask->first + word];
    const std::uint32_t unknown_of_mask = ~of_mask.known & lanes;
    if (are_active != is_mask_inverted_) of_mask.bits |= unknown_of_mask;
    of_mask.known |= unknown_of_mask;
  }
  unsure_writes_.clear();
  return is_branch_taken;
}

bool GcnWave::is_taken(std::uint32_t at) {
  const std::string_view opcode = instruction_at(at).opcode;
  if (opcode == "s_branch") return true;
  if (opcode == "s_cbranch_execz" || opcode == "s_cbranch_execnz")
    return is_exec_branch_taken(at, opcode == "s_cbranch_execz");
  if (opcode == "s_cbranch_scc0" || opcode == "s_cbranch_scc1") {
    const GcnScalar& scc = scalars_[kGcnScc];
    return scc.is_known() ? (scc.bits != 0) == opcode.ends_with('1') : resolve(at, scc.origin);
  }
  if (opcode == "s_cbranch_vccz" || opcode == "s_cbranch_vccnz") {
    const bool if_zero = opcode == "s_cbranch_vccz";
    const std::uint32_t words = lanes_ / 32;
    bool are_known = true;
    std::uint32_t origin = 0;
    for (std::uint32_t word = 0; word < words; ++word) {
      const GcnScalar& vcc = scalars_[kGcnVcc + word];
      if ((vcc.bits & vcc.known) != 0) return !if_zero;
      are_known = are_known && vcc.is_known();
      origin = std::max(origin, vcc.origin);
    }
    return are_known ? if_zero : resolve(at, origin);
  }
  execution_.inputs.refuse(at, "this branch is not followed");
  return false;
}

std::optional<GcnWave::State> GcnWave::execute(std::uint32_t at) {
  const bool is_needed = execution_.program.is_needed[at];
  switch (execution_.program.classes[at].role) {
    case GcnRole::scalar:
      if (is_needed) execute_scalar(at);
      break;
    case GcnRole::scalar_load:
      if (is_needed) load_scalars(at);
      break;
    case GcnRole::vector:
      if (is_needed) execute_vector(at);
      break;
    case GcnRole::load:
    case GcnRole::store:
    case GcnRole::atomic: access(at); break;
    case GcnRole::exchange:
      execution_.log.on_lds(number_, at, {GcnAddresses{}}, active());
      forget_results(at);
      break;
    case GcnRole::matrix:
      if (is_needed) forget_results(at);
      break;
    case GcnRole::barrier: return State::at_barrier;
    case GcnRole::end: return State::ended;
    case GcnRole::unsupported:
      execution_.inputs.refuse(at, reason_of_unsupported(instruction_at(at)));
      return State::ended;
    default: break;
  }
  return std::nullopt;
}

GcnWave::State GcnWave::run() {
  const GcnProgram& program = execution_.program;
  while (at_ < program.classes.size()) {
    const std::uint32_t at = at_;
    follow_loops(at);
    ++execution_.log.counts_of(number_).executions[at];
    if (++execution_.log.instructions > execution_.max_instructions) {
      const auto loop = program.loop_around(at);
      const GcnInstruction& head = instruction_at(loop ? program.loops[*loop].head : at);
      execution_.inputs.throw_if_any();
      throw InputError(fmt::format(
          "line {}: the waves of {} execute more than {} instructions, and are not followed any further; {}", head.line,
          printable(program.kernel->symbol), execution_.max_instructions,
          has_values_by_user(*program.kernel) ? "give smaller arguments (--arg)"
                                              : "no argument says how many: is this loop endless?"));
    }
    before_ = at;
    at_ = program.classes[at].role == GcnRole::branch && is_taken(at) ? program.targets[at] : at + 1;
    if (const auto state = execute(at)) return *state;
    if (!execution_.inputs.empty() && program.classes[at].role == GcnRole::branch) return State::ended;
  }
  execution_.inputs.refuse(static_cast<std::uint32_t>(program.classes.size() - 1),
                           "the code goes on behind its last instruction; s_endpgm is missing");
  return State::ended;
}

namespace {

std::uint64_t bits_below(std::uint32_t width) { return (std::uint64_t{1} << width) - 1; }

}  // namespace

void GcnWave::access(std::uint32_t at) {
  const std::uint64_t lanes = active();
  const GcnClass& traits = execution_.program.classes[at];
  if (lanes == 0) return;
  if (traits.is_lds) {
    access_lds(at, lanes);
    return forget_results(at);
  }
  if (traits.is_scratch) return forget_results(at);
  GcnAddresses addresses{};
  std::uint32_t origin = 0;
  if (addresses_of(at, lanes, addresses, origin)) {
    execution_.log.on_global(number_, at, addresses, lanes);
    forget_results(at);
    if (traits.role == GcnRole::load &&
        GcnConstants::holds(addresses[static_cast<std::size_t>(std::countr_zero(lanes))]))
      load_constants(at, addresses, lanes);
    return;
  }
  if (const auto sectors = execution_.inputs.sectors_of(at, origin))
    execution_.log.on_gather(number_, at, lanes, *sectors);
  forget_results(at);
}

void GcnWave::access_lds(std::uint32_t at, std::uint64_t lanes) {
  const GcnInstruction& instruction = instruction_at(at);
  const GcnClass& traits = execution_.program.classes[at];
  const std::size_t position = gcn_address_position(instruction, traits);
  if (position >= instruction.operands.size()) return;
  const Source base = source(instruction.operands[position]);
  if ((base.known & lanes) != lanes) {
    if (const auto cycles = execution_.inputs.sectors_of(at, base.origin))
      execution_.log.on_gather(number_, at, lanes, *cycles);
    return;
  }
  std::vector<GcnAddresses> pieces(traits.pieces);
  for (std::uint32_t piece = 0; piece < traits.pieces; ++piece) {
    const std::int64_t offset = traits.pieces == 1 ? instruction.modifier("offset")
                                                   : instruction.modifier(piece == 0 ? "offset0" : "offset1") *
                                                         static_cast<std::int64_t>(traits.piece_unit);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane)
      pieces[piece][lane] = base.in(lane) + static_cast<std::uint64_t>(offset);
  }
  execution_.log.on_lds(number_, at, pieces, lanes);
}

/// Returns true if all addresses are known; else false, and in `origin` the instruction that made one unknown.
bool GcnWave::addresses_of(std::uint32_t at, std::uint64_t lanes, GcnAddresses& addresses,
                           std::uint32_t& origin) const {
  const GcnInstruction& instruction = instruction_at(at);
  if (instruction.opcode.starts_with("buffer_")) return buffer_addresses(at, lanes, addresses, origin);
  const std::size_t position = gcn_address_position(instruction, execution_.program.classes[at]);
  if (position >= instruction.operands.size()) return false;
  const GcnOperand& address = instruction.operands[position];
  const Source low = source(address);
  const Source high = source(address, 1);
  std::uint64_t base = static_cast<std::uint64_t>(instruction.modifier("offset"));
  const bool has_base = instruction.operands.back().is_scalar() && instruction.operands.size() > position + 1;
  if (has_base) {
    const auto scalar_base = wide_scalar(instruction.operands.back(), origin);
    if (!scalar_base) return false;
    base += *scalar_base;
  }
  if ((low.known & high.known & lanes) != lanes) {
    origin = (low.known & lanes) != lanes ? low.origin : high.origin;
    return false;
  }
  for (std::uint32_t lane = 0; lane < lanes_; ++lane)
    addresses[lane] = base + low.in(lane) + (std::uint64_t{high.in(lane)} << 32);
  return true;
}

/// Source: AMD's ISA documents, buffer resource descriptor: bits 0 to 47 are the base address.
bool GcnWave::buffer_addresses(std::uint32_t at, std::uint64_t lanes, GcnAddresses& addresses,
                               std::uint32_t& origin) const {
  const GcnInstruction& instruction = instruction_at(at);
  constexpr std::size_t descriptor = 2;
  constexpr unsigned address_bits = 48;
  if (instruction.operands.size() < descriptor + 2 || instruction.has("idxen")) return false;
  const auto base = wide_scalar(instruction.operands[descriptor], origin);
  const GcnScalar scalar_offset = scalar(instruction.operands[descriptor + 1], 0);
  if (!base || !scalar_offset.is_known()) {
    if (base) origin = scalar_offset.origin;
    return false;
  }
  const bool has_lane_offsets = instruction.has("offen");
  const Source offset = has_lane_offsets ? source(instruction.operands[1]) : Source{nullptr, 0, ~std::uint64_t{0}, 0};
  if ((offset.known & lanes) != lanes) {
    origin = offset.origin;
    return false;
  }
  const std::uint64_t first = (*base & bits_below(address_bits)) + scalar_offset.bits +
                              static_cast<std::uint64_t>(instruction.modifier("offset"));
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) addresses[lane] = first + offset.in(lane);
  return true;
}

/// Loads from the kernarg segment or the packet of the dispatch.
void GcnWave::load_constants(std::uint32_t at, const GcnAddresses& addresses, std::uint64_t lanes) {
  const GcnInstruction& instruction = instruction_at(at);
  const std::uint32_t bytes = execution_.program.classes[at].bytes;
  const std::string_view name = instruction.opcode;
  const bool is_signed =
      name.ends_with("sbyte") || name.ends_with("sshort") || name.ends_with("_i8") || name.ends_with("_i16");
  for (std::uint32_t word = 0; word < instruction.operands.front().count; ++word) {
    GcnLaneValues values;
    values.origin = at + 1;
    for (std::uint64_t lanes_left = lanes; lanes_left != 0; lanes_left &= lanes_left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes_left));
      const auto bits = constant_word(addresses[lane] + 4 * word, std::min(bytes - std::min(bytes, 4 * word), 4U), at);
      if (!bits) continue;
      const std::uint32_t unused = bytes < 4 ? 32 - 8 * bytes : 0;
      values.bits[lane] =
          is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(*bits << unused) >> unused) : *bits;
      values.known |= std::uint64_t{1} << lane;
    }
    write_lanes(instruction.operands.front().first + word, values);
  }
}

}  // namespace gdsim
