#include <gdsim/import/profiles/csv/launch_table.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

std::optional<CsvHeader> find_launch_header(std::string_view text) {
  return find_csv_header(
      text, [](const std::vector<std::string>& cells) { return describes_launches(column_meanings(cells)); });
}

bool has_cell(const std::vector<std::string>& header, std::string_view name) {
  return position_of(header, name).has_value();
}

std::string format_of(const std::vector<std::string>& header) {
  if (has_cell(header, "GrdX")) return "Nsight Systems, CSV";
  if (has_cell(header, "Registers Per Thread") && has_cell(header, "Static SMem")) return "nvprof, CSV";
  if (has_cell(header, "Grid_Size_X")) return "rocprofv3, CSV";
  if (has_cell(header, "Counter_Name")) return "rocprofv3, counters, CSV";
  if (has_cell(header, "KernelName") && has_cell(header, "grd")) return "rocprof, CSV";
  if (has_cell(header, "LDS_Per_Workgroup")) return "rocprof-compute, CSV";
  if (has_cell(header, "Computing Task")) return "VTune, CSV";
  return "CSV";
}

/// Returns true if all cells are units of time or bytes, or empty: nvprof has such a row below its header.
bool is_unit_row(const std::vector<std::string>& cells) {
  bool has_unit = false;
  for (const std::string& cell : cells) {
    const bool is_unit = time_exponent(cell) || bytes_of_unit(cell) || cell == "GB/s" || cell == "MB/s" ||
                         cell == "KB/s" || cell == "B/s";
    if (!cell.empty() && !is_unit) return false;
    has_unit = has_unit || is_unit;
  }
  return has_unit;
}

void note_unused(const std::vector<ColumnMeaning>& columns, Profile& profile) {
  constexpr std::size_t few = 20;
  std::string names;
  std::size_t unused = 0;
  for (const ColumnMeaning& column : columns)
    if (column.column == LaunchColumn::none && ++unused <= few)
      names += (names.empty() ? "" : ", ") + printable(column.text.substr(0, 80));
  if (unused > few) names += fmt::format(" and {} more", unused - few);
  if (unused > 0) profile.notes.push_back("columns that were not used: " + names);
}

/// Returns the counter-name column if only it distinguishes further counters from further launches, else nullopt.
std::optional<std::size_t> distinguishing_counter(const std::vector<std::string>& header,
                                                  const std::vector<ColumnMeaning>& columns) {
  const bool has_ids = std::any_of(columns.begin(), columns.end(), [](const ColumnMeaning& column) {
    return column.column == LaunchColumn::correlation || column.column == LaunchColumn::start ||
           column.column == LaunchColumn::end;
  });
  return has_ids ? std::nullopt : position_of(header, "Counter_Name");
}

/// Drops repetitions of a launch: a table of counters has a row for each launch and counter.
void drop_repeated(const std::vector<std::string>& header, const std::vector<ColumnMeaning>& columns,
                   Profile& profile) {
  if (!has_cell(header, "Counter_Name") || distinguishing_counter(header, columns)) return;
  const std::size_t before = profile.launches.size();
  const auto same = [](const ProfiledLaunch& a, const ProfiledLaunch& b) {
    return a.start == b.start && a.correlation == b.correlation && a.name == b.name && a.device == b.device;
  };
  std::stable_sort(profile.launches.begin(), profile.launches.end(),
                   [](const ProfiledLaunch& a, const ProfiledLaunch& b) { return a.correlation < b.correlation; });
  profile.launches.erase(std::unique(profile.launches.begin(), profile.launches.end(), same), profile.launches.end());
  if (const std::size_t dropped = before - profile.launches.size(); dropped > 0)
    profile.left_out["further counters of a launch that was read already"] += dropped;
}

/// Reads the product that each row names, as in nvprof's `GeForce GTX 950 (0)`. Numbers and `Agent 4` name none.
void read_device_names(Profile& profile) {
  std::vector<bool> is_seen(profile.texts.size());
  for (const ProfiledLaunch& launch : profile.launches) {
    if (is_seen[launch.device]) continue;
    is_seen[launch.device] = true;
    const std::string key = profile.texts[launch.device];
    const std::size_t open = key.rfind(" (");
    const bool has_number = open != std::string::npos && open > 0 && key.ends_with(')');
    const bool is_product = key.find_first_not_of("0123456789-") != std::string::npos && !key.starts_with("Agent");
    if (is_product) profile.devices.push_back({key, has_number ? key.substr(0, open) : key, "", {}, {}, {}, {}});
  }
}

/// Which rows of a table are launches: not what a profiler reports behind it, and each launch once, if every counter
/// has a row of its own.
class LaunchRows {
 public:
  LaunchRows(std::size_t columns, std::optional<std::size_t> counter, Profile& profile)
      : columns_(columns), counter_(counter), profile_(profile) {}

  bool contain(const std::vector<std::string>& cells) {
    if (cells.size() == 1 && columns_ > 1 && (cells.front().starts_with("==") || cells.front() == "...")) return false;
    if (!counter_ || *counter_ >= cells.size()) return true;
    if (!first_counter_) first_counter_ = cells[*counter_];
    if (cells[*counter_] == *first_counter_) return true;
    ++profile_.left_out["further counters of a launch that was read already"];
    return false;
  }

 private:
  std::size_t columns_;
  std::optional<std::size_t> counter_;  ///< the column that names the counter of a row; nothing: none does
  std::optional<std::string> first_counter_;
  Profile& profile_;
};

void note_rounded_memory(const std::vector<ColumnMeaning>& columns, Profile& profile) {
  if (profile.format != "Nsight Systems, CSV" && profile.format != "nvprof, CSV") return;
  for (const ColumnMeaning& column : columns)
    if ((column.column == LaunchColumn::static_slm || column.column == LaunchColumn::dynamic_slm) &&
        column.unit == "MB")
      profile.notes.push_back(
          fmt::format("shared memory in '{}' is rounded to the file's decimals; the nearest "
                      "multiple of 1024 bytes is taken where there is one (SQLite files are "
                      "exact)",
                      printable(column.text)));
}

}  // namespace

bool has_launch_table(std::string_view text) { return find_launch_header(text).has_value(); }

void read_launch_table(const SourceText& source, Profile& profile) {
  const std::string_view text = source.text();
  const std::optional<CsvHeader> header = find_launch_header(text);
  if (!header) throw InputError({Diagnostic{"profile", "holds no table of launches", source.name(), 0, 0, {}}});
  profile.format = format_of(header->cells);
  std::vector<ColumnMeaning> columns = column_meanings(header->cells);
  note_unused(columns, profile);
  CsvRecords records = records_below(*header, text, profile);
  Diagnostics problems;
  const std::vector<std::string>* cells = records.next();
  if (cells != nullptr && is_unit_row(*cells)) {
    for (std::size_t i = 0; i < std::min(columns.size(), cells->size()); ++i) columns[i].unit = (*cells)[i];
    cells = records.next();
  }
  LaunchRowReader rows(source, columns, profile, problems);
  LaunchRows launches(columns.size(), distinguishing_counter(header->cells, columns), profile);
  constexpr std::size_t kMaxProblems = 1000;
  for (; cells != nullptr && problems.size() < kMaxProblems; cells = records.next())
    if (launches.contain(*cells)) rows.read(*cells, records.line());
  problems.throw_if_any();
  drop_repeated(header->cells, columns, profile);
  read_device_names(profile);
  note_rounded_memory(columns, profile);
}

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

void LaunchRowReader::fail(std::size_t column, const std::string& message) {
  problems_.add({&source_, line_, 1}, fmt::format("column {}: {}", in_quotes(columns_[column].text), message));
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
  const auto refuse = [&](const std::string& message) { problems_.add({&source_, line_, 1}, message); };
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
