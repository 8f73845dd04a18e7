#include "import/imports.hpp"

#include "terminal/log.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/gcn/import_gcn.hpp>
#include <gdsim/import/ptx/import_program.hpp>
#include <gdsim/import/ptx/ptx_resources.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace gdsim::cli {
namespace {

constexpr std::uint64_t kMaxItems = std::uint64_t{1} << 31;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

/// Reads comma-separated `NAME=VALUE` from all uses of the option.
template <class Take>
void for_each_pair(const Options& options, std::string_view name, std::string_view needed, Take take) {
  for (const std::string& given : options.values(name))
    for (const std::string& part : parts_of(given)) {
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos || !take(part.substr(0, equals), part.substr(equals + 1)))
        throw UsageError(fmt::format("--{} is {}; {} is needed", name, in_quotes(part), needed));
    }
}

/// Reads the value of a kernel argument, which may be negative.
std::optional<std::uint64_t> argument_value(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const auto value = whole_number(text);
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  if (!value || (is_negative && *value > most)) return std::nullopt;
  return is_negative ? std::uint64_t{0} - *value : *value;
}

bool take_argument(const std::string& name, const std::string& text, PtxLaunch& launch) {
  const std::size_t plus = name.find('+');
  const auto number = whole_number(std::string_view(name).substr(0, plus));
  const auto offset = plus == std::string::npos ? std::optional(std::uint64_t{0})
                                                : whole_number(std::string_view(name).substr(plus + 1));
  const auto value = argument_value(text);
  constexpr std::uint64_t most = 4'095;
  if (!number || *number > most || !offset || *offset > most || !value) return false;
  return launch.arguments.emplace(PtxArgument{static_cast<std::uint32_t>(*number), *offset}, *value).second;
}

bool take_branch(const std::string& line, const std::string& answer, PtxLaunch& launch) {
  const auto number = whole_number(line);
  if (!number || *number > kMaxItems || (answer != "taken" && answer != "skipped")) return false;
  return launch.branches.emplace(static_cast<std::uint32_t>(*number), answer == "taken").second;
}

/// Reads `32` or `32:16MiB`.
void read_gather(const std::string& text, PtxLaunch& launch) {
  const std::size_t colon = text.find(':');
  const auto sectors = whole_number(std::string_view(text).substr(0, colon));
  constexpr std::uint64_t most = 32;
  bool is_allowed = sectors && *sectors >= 1 && *sectors <= most;
  if (is_allowed && colon != std::string::npos) {
    const std::string range = text.substr(colon + 1);
    const auto bytes = whole_number(range) ? parse_bytes(range + " B") : parse_bytes(range);
    is_allowed = bytes.value.has_value() && bytes.value->count > 0;
    if (is_allowed) launch.gather_range = static_cast<std::uint64_t>(bytes.value->count);
  }
  if (!is_allowed)
    throw UsageError(
        fmt::format("--gather is {}; a whole number of sectors from 1 to {} is needed, and, if it is known, "
                    "the bytes in which they lie, as in 32:16MiB",
                    in_quotes(text), most));
  launch.gather = static_cast<std::uint32_t>(*sectors);
}

}  // namespace

std::optional<std::array<std::uint64_t, 3>> extent_option(const Options& options, std::string_view name) {
  const auto text = options.value(name);
  if (!text) return std::nullopt;
  std::array<std::uint64_t, 3> extent{1, 1, 1};
  const std::vector<std::string> parts = parts_of(*text);
  bool is_allowed = parts.size() <= extent.size();
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < parts.size() && is_allowed; ++i) {
    const auto number = whole_number(parts[i]);
    is_allowed = number && *number >= 1 && *number <= kMaxItems / product;
    if (is_allowed) product *= extent[i] = *number;
  }
  if (!is_allowed)
    throw UsageError(fmt::format(
        "--{} is {}; a whole number from 1 to {} is needed, or 2 or 3 of them, as in 32,32, whose product is no larger",
        name, in_quotes(*text), kMaxItems));
  return extent;
}

PtxLaunch program_options(const Options& options) {
  PtxLaunch launch;
  launch.grid = extent_option(options, "grid").value_or(launch.grid);
  launch.block = extent_option(options, "block").value_or(launch.block);
  for_each_pair(
      options, "arg",
      "NUMBER=VALUE, both whole numbers, as in 0=4096, each argument once (of a struct: NUMBER+BYTE=VALUE; pointers "
      "and floating-point numbers need none)",
      [&](const auto& name, const auto& value) { return take_argument(name, value, launch); });
  for_each_pair(options, "trips", "LOOP=COUNT, as in L__BB0_4=64, each loop once, from 1 to 2147483648",
                [&](const auto& name, const auto& value) {
                  const auto count = whole_number(value);
                  return !name.empty() && count && *count >= 1 && *count <= kMaxItems &&
                         launch.trips.emplace(name, *count).second;
                });
  for_each_pair(options, "branch", "LINE=taken or LINE=skipped, each line once",
                [&](const auto& line, const auto& answer) { return take_branch(line, answer, launch); });
  if (const auto gather = options.value("gather")) read_gather(*gather, launch);
  launch.has_warm_l2 = options.has("warm");
  return launch;
}

namespace {

constexpr std::size_t kMaxNamed = 20;

[[noreturn]] void refuse_several(const CompiledAnswer& answer) {
  std::string names;
  for (std::size_t i = 0; i < answer.entries.size() && i < kMaxNamed; ++i)
    names += (i == 0 ? "" : ", ") + in_quotes(answer.entries[i].kernel.compiled.symbol);
  if (answer.entries.size() > kMaxNamed) names += fmt::format(" and {} more", answer.entries.size() - kMaxNamed);
  throw UsageError(
      fmt::format("--program makes the steps of one kernel, and {} are here: {}; choose one: --kernel '^{}'",
                  answer.entries.size(), names, printable(answer.entries.front().kernel.compiled.symbol)));
}

/// Sets the block's shape, by default the one that the PTX requires. Throws InputError for another shape.
void set_block(const PtxKernel& kernel, const Options& options, std::uint64_t items, const SourceText& source,
               PtxLaunch& launch) {
  if (!options.has("block")) launch.block = kernel.required_group.value_or(std::array<std::uint64_t, 3>{items, 1, 1});
  if (!kernel.required_group || launch.block == *kernel.required_group) return;
  Diagnostics problems;
  problems.add({&source, kernel.line, kernel.column},
               fmt::format("--block {} cannot be launched: {} requires (.reqntid) --block {}",
                           extent_text(launch.block), printable(kernel.symbol), extent_text(*kernel.required_group)));
  problems.throw_if_any();
}

void check_clusters(const CompiledKernel& kernel, const PtxLaunch& launch) {
  if (!kernel.cluster) return;
  const auto& cluster = *kernel.cluster;
  std::array<std::uint64_t, 3> whole{};
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = (launch.grid[i] + cluster[i] - 1) / cluster[i] * cluster[i];
  if (whole != launch.grid)
    throw InputError(
        fmt::format("--grid {} is no multiple of the clusters of {}, {} work-groups; the next is --grid {}",
                    extent_text(launch.grid), printable(kernel.name), extent_text(cluster), extent_text(whole)));
}

/// Sets the block's shape, by default as long as it is large, and the place where the program runs.
void add_gcn_program(CompiledAnswer& answer, const SourceText& source, PtxLaunch launch, const Options& options) {
  CompiledEntry& entry = answer.entries.front();
  const CompiledKernel& compiled = entry.kernel.compiled;
  const auto& kernels = answer.assembly->kernels;
  const auto kernel =
      std::find_if(kernels.begin(), kernels.end(), [&](const GcnKernel& one) { return one.symbol == compiled.symbol; });
  if (kernel == kernels.end()) throw InputError("the kernel is not in the assembly");
  if (!options.has("block"))
    launch.block = compiled.required_group.value_or(std::array<std::uint64_t, 3>{entry.kernel.plan.block, 1, 1});
  if (compiled.required_group && launch.block != *compiled.required_group)
    throw InputError(fmt::format("--block {} cannot be launched: {} requires --block {}", extent_text(launch.block),
                                 printable(compiled.symbol), extent_text(*compiled.required_group)));
  launch.dynamic_shared = entry.kernel.plan.dynamic_slm;
  const Occupancy occupancy = occupancy_of(entry.request.kernel, *entry.request.device, entry.request.global);
  ProgramPlace place;
  place.device = entry.request.device;
  place.groups_per_core = std::max<std::uint64_t>(1, occupancy.work_groups_per_core);
  entry.kernel.program = import_gcn_program(*kernel, launch, place, source);
}

}  // namespace

void add_program(CompiledAnswer& answer, const Options& options, const ModelLibrary& models, SourceFiles& sources) {
  if (answer.entries.size() != 1) refuse_several(answer);
  CompiledEntry& entry = answer.entries.front();
  PtxLaunch launch = program_options(options);
  if (!options.has("grid")) launch.grid = {entry.kernel.groups, 1, 1};
  const SourceText& source = sources.read(options.arguments().front(), "a file of PTX or assembly");
  if (answer.assembly) return add_gcn_program(answer, source, launch, options);
  const PtxModule& module = *answer.program;
  const auto kernel = std::find_if(module.kernels.begin(), module.kernels.end(), [&](const PtxKernel& candidate) {
    return candidate.symbol == entry.kernel.compiled.symbol;
  });
  if (kernel == module.kernels.end()) throw InputError("the kernel is not in the PTX");
  check_clusters(entry.kernel.compiled, launch);
  launch.dynamic_shared = entry.kernel.plan.dynamic_slm;
  set_block(*kernel, options, entry.kernel.plan.block, source, launch);
  const Occupancy occupancy = occupancy_of(entry.request.kernel, *entry.request.device, entry.request.global);
  const std::string family = models.family_of(answer.device);
  if (const auto capability = capability_of(family)) launch.capability = *capability;
  launch.keeps_local_in_registers = entry.kernel.compiled.stack == std::uint64_t{0};
  ProgramPlace place;
  place.device = entry.request.device;
  place.family = family;
  place.groups_per_core = std::max<std::uint64_t>(1, occupancy.work_groups_per_core);
  place.slm = entry.kernel.plan.static_slm + entry.kernel.plan.dynamic_slm;
  place.has_registers = entry.kernel.compiled.registers.has_value();
  place.code = entry.kernel.compiled.code.get();
  if (!place.has_registers)
    log_warning("PTX has no registers: they limit nothing here; compile it, and name the result: --cubin FILE.cubin");
  entry.kernel.program = import_program(*kernel, launch, place, source);
  if (const std::string& lines = entry.kernel.program->partial_stores; !lines.empty())
    log_warning("stores that write parts of sectors, as in line " + lines.substr(0, lines.find(',')) +
                ", may cost too little here: the model of " + place.device->id +
                " does not say what they cost (`written_sector`)");
}

}  // namespace gdsim::cli
