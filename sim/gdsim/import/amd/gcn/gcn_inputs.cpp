#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// The arguments that a user numbers: those before the hidden ones.
std::vector<const GcnArgument*> explicit_arguments(const GcnKernel& kernel) {
  std::vector<const GcnArgument*> arguments;
  for (const GcnArgument& argument : kernel.arguments)
    if (!argument.is_hidden()) arguments.push_back(&argument);
  return arguments;
}

/// Returns how many bytes of an argument an option gives: at most 8, of a structure 4, and none of the next option.
std::uint64_t bytes_given(const GcnArgument& argument, const std::map<PtxArgument, std::uint64_t>& all,
                          std::map<PtxArgument, std::uint64_t>::const_iterator given) {
  const std::uint64_t offset = given->first.second;
  const auto next = std::next(given);
  const bool has_next = next != all.end() && next->first.first == given->first.first;
  const std::uint64_t end = std::min(argument.bytes, has_next ? next->first.second : argument.bytes);
  const std::uint64_t most = argument.bytes > 8 ? 4 : 8;
  return offset < end ? std::min(end - offset, most) : 0;
}

constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};

}  // namespace

/// Source: LLVM AMDGPUUsage, HSA AQL kernel dispatch packet, and hidden arguments from code object version 5 on.
GcnConstants::GcnConstants(const GcnKernel& kernel, const PtxLaunch& launch) : kernel_(kernel), launch_(launch) {
  std::uint32_t number = 0;
  for (const GcnArgument& argument : kernel.arguments)
    if (argument.is_hidden())
      put_hidden(argument);
    else
      put_argument(number++, argument);
  constexpr std::uint64_t group_size = 4;
  constexpr std::uint64_t grid_size = 12;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    put(kPacket + group_size + 2 * i, 2, launch.block[i]);
    put(kPacket + grid_size + 4 * i, 4, launch.grid[i] * launch.block[i]);
  }
  put(kPacket + group_size + 6, 2, 0);
}

void GcnConstants::put(std::uint64_t address, std::uint64_t bytes, std::uint64_t value) {
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bytes, sizeof value); ++i)
    bytes_[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

void GcnConstants::put_argument(std::uint32_t number, const GcnArgument& argument) {
  const std::uint64_t at = kKernarg + argument.offset;
  if (argument.is_pointer()) put(at, argument.bytes, (std::uint64_t{number} + 1) << kPointerBits);
  if (argument.value_kind == "dynamic_shared_pointer") put(at, argument.bytes, kernel_.static_lds);
  for (auto given = launch_.arguments.lower_bound({number, 0});
       given != launch_.arguments.end() && given->first.first == number; ++given)
    put(at + given->first.second, bytes_given(argument, launch_.arguments, given), given->second);
}

void GcnConstants::put_hidden(const GcnArgument& argument) {
  const std::string_view kind = argument.value_kind;
  const auto axis = static_cast<std::size_t>(kind.back() - 'x');
  const std::uint64_t at = kKernarg + argument.offset;
  if (kind == "hidden_grid_dims")
    return put(at, argument.bytes,
               launch_.grid[2] * launch_.block[2] > 1   ? 3
               : launch_.grid[1] * launch_.block[1] > 1 ? 2
                                                        : 1);
  if (axis >= kAxes.size()) return;
  if (kind.starts_with("hidden_block_count_")) put(at, argument.bytes, launch_.grid[axis]);
  if (kind.starts_with("hidden_group_size_")) put(at, argument.bytes, launch_.block[axis]);
  if (kind.starts_with("hidden_remainder_") || kind.starts_with("hidden_global_offset_")) put(at, argument.bytes, 0);
}

std::optional<std::uint8_t> GcnConstants::byte_at(std::uint64_t address) const {
  const auto found = bytes_.find(address);
  return found == bytes_.end() ? std::nullopt : std::optional(found->second);
}

std::string GcnConstants::option_for(std::uint64_t address) const {
  const auto arguments = explicit_arguments(kernel_);
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const std::uint64_t begin = kKernarg + arguments[i]->offset;
    if (address >= begin && address < begin + arguments[i]->bytes)
      return fmt::format("--arg {}=VALUE", name_of_argument({i, address - begin}));
  }
  return {};
}

std::string GcnInputs::reason_for(std::uint32_t origin) const {
  if (const auto found = missing_.find(origin - 1); origin > program_.classes.size() && found != missing_.end())
    return "depends on an argument, which the kernel finds in a register; give its value: " + found->second;
  if (origin == 0 || origin > program_.classes.size()) return "depends on a register that nothing has written";
  const GcnInstruction& instruction = program_.kernel->instructions[origin - 1];
  const std::string where = fmt::format("line {} ({})", instruction.line, printable(instruction.opcode));
  if (const auto found = missing_.find(origin - 1); found != missing_.end())
    return fmt::format("depends on an argument, which {} loads; give its value: {}", where, found->second);
  const GcnRole role = program_.classes[origin - 1].role;
  if (role == GcnRole::load || role == GcnRole::atomic || role == GcnRole::scalar_load)
    return "depends on what " + where + " loads from memory";
  return "depends on what " + where + " computes, which is not executed";
}

SourceMark GcnInputs::mark_of(std::uint32_t instruction) const {
  const GcnInstruction& at = program_.kernel->instructions[instruction];
  return {&source_, at.line, at.column};
}

std::optional<std::uint32_t> GcnInputs::sectors_of(std::uint32_t instruction, std::uint32_t origin) {
  return gathered(instruction, reason_for(origin),
                  "; say how many sectors of 32 bytes (or cycles of LDS banks) a wave's request takes, 1 to 32: "
                  "--gather 32");
}

std::string GcnInputs::place_of(std::uint32_t instruction) const {
  for (const auto& [label, at] : program_.kernel->labels)
    if (at == instruction) return label;
  return std::to_string(program_.kernel->instructions[instruction].line);
}

/// A branch back to the loop's head follows the body that `--trips` counts. One out of the loop, or to code of it that
/// stands before the head, precedes that body; then the code's label names the loop, unless another loop begins there.
std::string GcnInputs::loop_name(std::uint32_t loop, std::uint32_t target) const {
  const GcnLoop& flow_loop = program_.loops[loop];
  const std::string name = place_of(flow_loop.head);
  const bool is_body = flow_loop.holds(target) && target < flow_loop.head && !program_.loop_headed_by(target);
  return is_body && !launch_.trips.contains(name) ? place_of(target) : name;
}

bool GcnInputs::resolve_branch(std::uint32_t instruction, std::uint32_t origin, std::uint64_t iteration) {
  const auto loop = program_.loop_around(instruction);
  const std::uint32_t target = program_.targets[instruction];
  const bool taken_stays = loop && program_.loops[*loop].holds(target);
  const bool stays_untaken = loop && program_.loops[*loop].holds(instruction + 1);
  const bool is_back = loop && target == program_.loops[*loop].head;
  const std::string why = reason_for(origin);
  const bool is_answered = launch_.branches.contains(mark_of(instruction).line) && !is_answered_by_argument(why);
  if (!loop || is_answered || (taken_stays && stays_untaken && !is_back)) return is_taken(instruction, why);
  const bool is_at_end = taken_stays && target >= program_.loops[*loop].head;
  return is_repeated(instruction, why, {loop_name(*loop, target), taken_stays, is_at_end, iteration});
}

namespace {

std::string problem_of_argument(const GcnKernel& kernel, const std::map<PtxArgument, std::uint64_t>& all,
                                std::map<PtxArgument, std::uint64_t>::const_iterator option) {
  const auto& [given, value] = *option;
  const auto arguments = explicit_arguments(kernel);
  if (given.first >= arguments.size() || given.second >= arguments[given.first]->bytes) {
    std::string known;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      known += fmt::format("{}{} ({} B)", i == 0 ? "" : ", ", i, arguments[i]->bytes);
    return fmt::format("there is no such argument; those of {} are {}", printable(kernel.symbol),
                       known.empty() ? "none" : known);
  }
  const GcnArgument& argument = *arguments[given.first];
  if (argument.value_kind == "dynamic_shared_pointer") return "it is a pointer into LDS; leave it out";
  if (argument.is_pointer() && value != 0)
    return "it is a pointer, and has an address of its own; leave it out, or give 0, the null pointer";
  const std::uint64_t bytes = bytes_given(argument, all, option);
  const std::string misfit = misfit_of(value, bytes);
  if (misfit.empty() || argument.bytes <= 8) return misfit;
  return misfit + fmt::format("; give the bytes behind them by --arg {}=VALUE",
                              name_of_argument({given.first, given.second + bytes}));
}

/// Refuses metadata that place arguments where no segment is.
void check_places(const GcnKernel& kernel, Diagnostics& problems) {
  for (const GcnArgument& argument : kernel.arguments)
    if (argument.bytes > GcnConstants::kKernargRoom || argument.offset > GcnConstants::kKernargRoom - argument.bytes) {
      problems.add({},
                   fmt::format("the metadata of {} have an argument of {} B at byte {}; a kernarg segment has at "
                               "most {} B",
                               printable(kernel.symbol), argument.bytes, argument.offset, GcnConstants::kKernargRoom));
      return;
    }
}

}  // namespace

void check_gcn_arguments(const GcnKernel& kernel, const PtxLaunch& launch) {
  Diagnostics problems;
  check_places(kernel, problems);
  if (launch.gather_range) problems.add({}, "--gather of AMDGPU assembly takes no range of bytes: write --gather 32");
  for (auto at = launch.arguments.begin(); at != launch.arguments.end(); ++at)
    if (const std::string problem = problem_of_argument(kernel, launch.arguments, at); !problem.empty())
      problems.add({}, fmt::format("--arg {}={}: {}", name_of_argument(at->first),
                                   static_cast<std::int64_t>(at->second), problem));
  problems.throw_if_any();
}

}  // namespace gdsim
