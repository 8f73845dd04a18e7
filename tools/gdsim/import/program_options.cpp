#include "import/program_options.hpp"

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

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

}  // namespace gdsim::cli
