#include <gdsim/import/profiles/csv/launch_row.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/profiles/work_named.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Removes ` [218]` after a kernel's name, nvprof's number, and ` (.kd)` or ` [clone .kd]` of rocprof.
std::string_view bare_name(std::string_view name) {
  for (const std::string_view suffix : {" (.kd)", " [clone .kd]", ".kd"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  if (!name.ends_with(']')) return name;
  const std::size_t open = name.rfind(" [");
  if (open == std::string_view::npos || open == 0) return name;
  const std::string_view inside = name.substr(open + 2, name.size() - open - 3);
  const bool is_number = !inside.empty() && inside.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? name.substr(0, open) : name;
}

/// Returns true if the times differ by more than a hundredth and by more than tools round.
bool differ(Int128 span, Int128 duration) {
  constexpr Int128 microsecond = 1'000'000;
  const Int128 off = span < duration ? duration - span : span - duration;
  return off > microsecond && off > duration / 100;
}

}  // namespace

LaunchRowReader::LaunchRowReader(const SourceText& source, const std::vector<ColumnMeaning>& columns, Profile& profile,
                                 Diagnostics& problems)
    : source_(source), columns_(columns), profile_(profile), problems_(problems) {}

void LaunchRowReader::fail(std::size_t column, const std::string& what) {
  problems_.add({&source_, line_, 1}, fmt::format("column {}: {}", in_quotes(columns_[column].text), what));
}

void LaunchRowReader::read(const std::vector<std::string>& cells, std::uint32_t line) {
  line_ = line;
  if (cells.size() != columns_.size()) {
    problems_.add({&source_, line, 1},
                  fmt::format("the row has {} cells and the header {}; is it cut off?", cells.size(), columns_.size()));
    return;
  }
  ProfiledLaunch launch;
  Times times;
  name_.clear();
  source_memory_.clear();
  target_memory_.clear();
  launch.place = line;
  launch.queue = launch.device = profile_.texts.number("");
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (columns_[i].column != LaunchColumn::none && !cells[i].empty()) read_cell(cells[i], i, launch, times);
  if (name_.empty()) {
    problems_.add({&source_, line, 1}, "the row names no kernel");
    return;
  }
  launch.work = work_of(name_, launch);
  launch.name = profile_.texts.number(bare_name(name_));
  settle(launch, times);
  add_launch(profile_, launch);
}

void LaunchRowReader::read_cell(const std::string& cell, std::size_t column, ProfiledLaunch& launch, Times& times) {
  const auto as32 = [&](std::uint64_t most) { return static_cast<std::uint32_t>(whole(cell, column, most)); };
  switch (columns_[column].column) {
    case LaunchColumn::none: break;
    case LaunchColumn::name: name_ = cell; break;
    case LaunchColumn::start: times.start = time(cell, column); break;
    case LaunchColumn::end: times.end = time(cell, column); break;
    case LaunchColumn::duration: times.duration = time(cell, column); break;
    case LaunchColumn::grid_items: launch.grid_counts_items = true; [[fallthrough]];
    case LaunchColumn::grid: read_extent(cell, column, launch.grid); break;
    case LaunchColumn::items_x: launch.grid_counts_items = true; [[fallthrough]];
    case LaunchColumn::grid_x: launch.grid[0] = whole(cell, column, kMaxProfiledSize); break;
    case LaunchColumn::items_y:
    case LaunchColumn::grid_y: launch.grid[1] = whole(cell, column, kMaxProfiledSize); break;
    case LaunchColumn::items_z:
    case LaunchColumn::grid_z: launch.grid[2] = whole(cell, column, kMaxProfiledSize); break;
    case LaunchColumn::block: read_extent(cell, column, launch.block); break;
    case LaunchColumn::block_x: launch.block[0] = whole(cell, column, kMaxProfiledSize); break;
    case LaunchColumn::block_y: launch.block[1] = whole(cell, column, kMaxProfiledSize); break;
    case LaunchColumn::block_z: launch.block[2] = whole(cell, column, kMaxProfiledSize); break;
    case LaunchColumn::registers: launch.registers = as32(kMaxProfiledRegisters); break;
    case LaunchColumn::accumulation_registers: launch.accumulation_registers = as32(kMaxProfiledRegisters); break;
    case LaunchColumn::scalar_registers: launch.scalar_registers = as32(kMaxProfiledRegisters); break;
    case LaunchColumn::static_slm: launch.static_slm = bytes(cell, column); break;
    case LaunchColumn::dynamic_slm: launch.dynamic_slm = bytes(cell, column); break;
    case LaunchColumn::sub_group: launch.sub_group = as32(kMaxProfiledRegisters); break;
    case LaunchColumn::cluster: launch.cluster = whole(cell, column, kMaxProfiledRegisters); break;
    case LaunchColumn::bytes: launch.bytes = bytes(cell, column); break;
    case LaunchColumn::throughput: times.bytes_per_second = bytes_per_second(cell, column); break;
    case LaunchColumn::source_memory: source_memory_ = cell; break;
    case LaunchColumn::target_memory: target_memory_ = cell; break;
    case LaunchColumn::copy_kind: launch.work = work_named(cell); break;
    case LaunchColumn::device: launch.device = profile_.texts.number(cell); break;
    case LaunchColumn::queue: launch.queue = profile_.texts.number(cell); break;
    case LaunchColumn::correlation: launch.correlation = whole(cell, column, ~std::uint64_t{0}); break;
    case LaunchColumn::count: launch.count = whole(cell, column, kMaxProfiledLaunches); break;
  }
}

/// Reads `256`, `8 x 16`, `(64, 64, 1)` or `[64, 1, 1]` as x, y, z.
void LaunchRowReader::read_extent(const std::string& cell, std::size_t column, Extent& extent) {
  extent = {0, 1, 1};
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < cell.size();) {
    const std::size_t begin = cell.find_first_of("0123456789", i);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(cell.find_first_not_of("0123456789", begin), cell.size());
    if (dimension == extent.size()) return fail(column, in_quotes(cell) + " has more than three dimensions");
    extent[dimension++] = whole(cell.substr(begin, end - begin), column, kMaxProfiledSize);
    i = end;
  }
  if (dimension == 0 || cell.find_first_not_of("0123456789 x,;()[]{}") != std::string::npos)
    fail(column, in_quotes(cell) + " is no size; write `256` or `(16, 16, 1)`");
}

ProfiledWork LaunchRowReader::work_of(const std::string& name, const ProfiledLaunch& launch) const {
  if (launch.work != ProfiledWork::kernel) return launch.work;
  if (launch.block[0] != 0) return ProfiledWork::kernel;
  const ProfiledWork named = work_named(name);
  if (named != ProfiledWork::other_copy) return named;
  const auto is_host = [](const std::string& memory) { return memory == "Pageable" || memory == "Pinned"; };
  if (is_host(source_memory_) && target_memory_ == "Device") return ProfiledWork::host_to_device;
  if (is_host(target_memory_) && source_memory_ == "Device") return ProfiledWork::device_to_host;
  return named;
}

void LaunchRowReader::settle(ProfiledLaunch& launch, const Times& times) {
  const auto refuse = [&](const std::string& what) { problems_.add({&source_, line_, 1}, what); };
  for (Extent* extent : {&launch.grid, &launch.block})
    if ((*extent)[0] != 0)
      for (std::uint64_t& size : *extent) size = std::max<std::uint64_t>(size, 1);
  launch.start = times.start;
  std::optional<Int128> duration = times.duration;
  if (!duration && times.start && times.end) duration = *times.end - *times.start;
  if (!launch.start && times.end && duration) launch.start = *times.end - *duration;
  if (!duration) return;
  if (*duration < 0) return refuse("the launch ends before it starts");
  if (times.start && times.end && differ(*times.end - *times.start, *duration))
    return refuse("the launch's duration is not the time from its start to its end");
  if (*duration > kMaxProfiledSpan) return refuse("the launch lasts longer than 50 days");
  launch.duration = static_cast<std::int64_t>(*duration);
  if (launch.work != ProfiledWork::kernel && !launch.bytes && times.bytes_per_second)
    launch.bytes = static_cast<std::uint64_t>(
        std::min<Int128>((*times.bytes_per_second * *duration / 1'000'000 + 500'000) / 1'000'000, kMaxProfiledBytes));
}

/// If the table lacks the bytes of a copy, they follow from this and the duration. Returns nullopt after an error.
std::optional<Int128> LaunchRowReader::bytes_per_second(const std::string& cell, std::size_t column) {
  const std::string& unit = columns_[column].unit;
  const std::size_t slash = unit.find("/s");
  const auto scale = slash == std::string::npos ? std::nullopt : bytes_of_unit(unit.substr(0, slash));
  const auto millionths = scaled_number(cell, 6);
  constexpr Int128 most = Int128{1} << 60;
  if (!scale || !millionths || *millionths < 0 || *millionths * Int128{*scale} / 1'000'000 > most) {
    fail(column, fmt::format("{} {} is no throughput; GB/s and MB/s are units of one", in_quotes(cell), unit));
    return std::nullopt;
  }
  return *millionths * Int128{*scale} / 1'000'000;
}

std::uint64_t LaunchRowReader::whole(const std::string& cell, std::size_t column, std::uint64_t most) {
  const auto value = whole_number(cell, most);
  if (!value) fail(column, fmt::format("{} is no whole number from 0 to {}", in_quotes(cell), most));
  return value.value_or(0);
}

std::uint64_t LaunchRowReader::bytes(const std::string& cell, std::size_t column) {
  std::string unit = columns_[column].unit;
  std::string number = cell;
  if (const std::size_t blank = cell.find(' '); blank != std::string::npos && unit.empty()) {
    number = cell.substr(0, blank);
    unit = cell.substr(blank + 1);
  }
  const auto scale = unit.empty() ? std::optional<std::uint64_t>(1) : bytes_of_unit(unit);
  if (!scale) {
    fail(column, fmt::format("{} is no unit of bytes; B, KB, MB, GB, KiB and MiB are", in_quotes(unit)));
    return 0;
  }
  const bool is_slm = columns_[column].column != LaunchColumn::bytes;
  const auto value = snapped_bytes(number, *scale);
  if (value && *value <= kMaxProfiledBytes && is_slm) return *value;
  const auto exact = scaled_number(number, 6);
  if (!exact || *exact < 0 || *exact > Int128{kMaxProfiledBytes} * 1'000'000 / Int128{*scale}) {
    fail(column, in_quotes(cell) + " is no number of bytes");
    return 0;
  }
  return static_cast<std::uint64_t>((*exact * Int128{*scale} + 500'000) / 1'000'000);
}

std::optional<Int128> LaunchRowReader::time(const std::string& cell, std::size_t column) {
  std::string unit = columns_[column].unit;
  std::string number = cell;
  const std::size_t digits = cell.find_last_of("0123456789.");
  if (unit.empty() && digits != std::string::npos && digits + 1 < cell.size()) {
    number = cell.substr(0, digits + 1);
    unit = cell.substr(std::min(cell.find_first_not_of(' ', digits + 1), cell.size()));
  }
  const auto exponent = time_exponent(unit);
  if (!exponent) {
    fail(column, unit.empty() ? fmt::format("times need a unit; call the column `{}_ns`, or write `{} us`",
                                            columns_[column].text, cell)
                              : in_quotes(unit) + " is no unit of time; ns, us, ms and s are");
    return std::nullopt;
  }
  const auto value = scaled_number(number, *exponent);
  if (!value) fail(column, in_quotes(cell) + " is no time");
  return value;
}

}  // namespace gdsim
