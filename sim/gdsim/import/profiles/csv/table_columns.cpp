#include <gdsim/base/column_names.hpp>
#include <gdsim/import/profiles/csv/launch_table.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMaxHeaderLine = 1 << 17;  ///< bytes: rocprof-compute has 2,043 columns

}  // namespace

std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted) {
  std::size_t begin = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  for (std::uint32_t line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view candidate = text.substr(begin, std::min(end - begin, kMaxHeaderLine));
    for (const char separator : {',', ';', '\t'}) {
      if (std::count(candidate.begin(), candidate.end(), separator) < 2) continue;
      std::vector<std::string> cells = csv_line_cells(candidate, separator);
      if (is_wanted(cells)) return CsvHeader{end + 1, line, separator, std::move(cells)};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

CsvRecords records_below(const CsvHeader& header, std::string_view text, const Profile& profile) {
  return {text.substr(std::min(header.behind, text.size())), header.separator, header.line + 1, profile.budget.get()};
}

namespace {

bool is_sysinfo_header(const std::vector<std::string>& cells) {
  return position_of(cells, "gpu_arch").has_value() || (position_of(cells, "gpu_soc") && position_of(cells, "numCU"));
}

}  // namespace

bool is_sysinfo(std::string_view text) { return find_csv_header(text, is_sysinfo_header).has_value(); }

void read_sysinfo(const SourceText& source, Profile& profile) {
  profile.format = "rocprof-compute, sysinfo.csv";
  const auto header = find_csv_header(source.text(), is_sysinfo_header);
  if (!header) throw InputError({Diagnostic{"profile", "describes no device", source.name(), 0, 0, {}}});
  CsvRecords records = records_below(*header, source.text(), profile);
  const std::vector<std::string>* cells = records.next();
  if (cells == nullptr || cells->size() != header->cells.size())
    fail_at(profile, header->line, "the row below the header has another number of cells; is the file cut off?");
  const auto value = [&](std::string_view name) {
    const auto at = position_of(header->cells, name);
    return at ? (*cells)[*at] : std::string();
  };
  constexpr std::uint64_t most = 1 << 20;
  ProfiledDevice device;
  device.name = value("gpu_model");
  device.family = value("gpu_arch");
  if (device.family.empty()) device.family = value("gpu_soc");
  device.family = device.family.substr(0, device.family.find(':'));
  for (const std::string_view name : {"cu_per_gpu", "numCU"})
    if (const auto cores = whole_number(value(name), most); cores && !device.cores)
      device.cores = static_cast<std::uint32_t>(*cores);
  for (const std::string_view name : {"wave_size", "waveSize"})
    if (const auto wave = whole_number(value(name), most); wave && !device.sub_group)
      device.sub_group = static_cast<std::uint32_t>(*wave);
  for (const std::string_view name : {"max_sclk", "sclk"})
    if (const auto mhz = whole_number(value(name), most); mhz && *mhz > 0 && !device.clock)
      device.clock = Hertz{static_cast<std::int64_t>(*mhz) * 1'000'000};
  profile.devices.push_back(std::move(device));
}

namespace {

using Column = LaunchColumn;

constexpr std::array kColumns{
    ColumnAliases<Column>{Column::name, "name kernel kernelname computingtask"},
    ColumnAliases<Column>{Column::start, "start starttimestamp begin"},
    ColumnAliases<Column>{Column::end, "end endtimestamp"},
    ColumnAliases<Column>{Column::duration, "duration dur time computingtask:averagetime"},
    ColumnAliases<Column>{Column::grid, "grid griddim groups workgroups blocks"},
    ColumnAliases<Column>{Column::grid_x, "gridx grdx griddimx"},
    ColumnAliases<Column>{Column::grid_y, "gridy grdy griddimy"},
    ColumnAliases<Column>{Column::grid_z, "gridz grdz griddimz"},
    ColumnAliases<Column>{Column::items_x, "gridsizex globalx"},
    ColumnAliases<Column>{Column::items_y, "gridsizey globaly"},
    ColumnAliases<Column>{Column::items_z, "gridsizez globalz"},
    ColumnAliases<Column>{Column::grid_items, "global globalsize grd gridsize worksize:global"},
    ColumnAliases<Column>{Column::block,
                          "block blockdim blocksize local localsize workgroup workgroupsize wgr worksize:local"},
    ColumnAliases<Column>{Column::block_x, "blockx blkx blockdimx localx workgroupsizex"},
    ColumnAliases<Column>{Column::block_y, "blocky blky blockdimy localy workgroupsizey"},
    ColumnAliases<Column>{Column::block_z, "blockz blkz blockdimz localz workgroupsizez"},
    ColumnAliases<Column>{Column::registers, "registers reg/trd registersperthread vgprcount archvgpr vgpr"},
    ColumnAliases<Column>{Column::accumulation_registers, "accumvgprcount accumvgpr accumulationregisters"},
    ColumnAliases<Column>{Column::scalar_registers, "sgprcount sgpr scalarregisters"},
    ColumnAliases<Column>{Column::static_slm,
                          "slm staticslm staticsmem stcsmem sharedmemory shared sharedmem smem staticshared "
                          "staticsharedmemory lds ldsblocksize ldsperworkgroup groupsegmentsize"},
    ColumnAliases<Column>{Column::dynamic_slm, "dynamicslm dynamicsmem dynamicshared dymsmem dynamicsharedmemory"},
    ColumnAliases<Column>{Column::sub_group, "subgroup subgroupsize wavesize warpsize simd computingtask:simdwidth"},
    ColumnAliases<Column>{Column::cluster, "cluster clustersize"},
    ColumnAliases<Column>{Column::bytes, "bytes size"},
    ColumnAliases<Column>{Column::throughput, "throughput"},
    ColumnAliases<Column>{Column::source_memory, "srcmemkd srcmemtype"},
    ColumnAliases<Column>{Column::target_memory, "dstmemkd dstmemtype"},
    ColumnAliases<Column>{Column::copy_kind, "direction copykind"},
    ColumnAliases<Column>{Column::device, "device agentid gpuid"},
    ColumnAliases<Column>{Column::queue, "strm stream streamid queue queueid"},
    ColumnAliases<Column>{Column::correlation, "corrid correlation correlationid"},
    ColumnAliases<Column>{Column::count, "count instances computingtask:instancecount"},
};

Column column_called(std::string_view plain) {
  for (const ColumnAliases<Column>& aliases : kColumns)
    if (is_among(plain, aliases.names)) return aliases.meaning;
  return Column::none;
}

bool has_column(const std::vector<ColumnMeaning>& columns, LaunchColumn wanted) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const ColumnMeaning& column) { return column.column == wanted; });
}

}  // namespace

std::vector<ColumnMeaning> column_meanings(const std::vector<std::string>& header) {
  std::vector<ColumnMeaning> columns;
  for (const std::string& cell : header) {
    const std::string name = plain_name(cell);
    ColumnMeaning meaning{column_called(name), "", cell};
    if (ColumnName split = column_name(cell); meaning.column == Column::none && !is_cycles(split.unit)) {
      meaning.column = column_called(split.plain);
      meaning.unit = std::move(split.unit);
    }
    const bool is_time =
        meaning.column == Column::start || meaning.column == Column::end || meaning.column == Column::duration;
    if (is_time && meaning.unit == "%") meaning = {Column::none, "", cell};
    if (is_time && meaning.unit.empty() && name.ends_with("timestamp")) meaning.unit = "ns";
    if (meaning.column == Column::duration && name == "computingtask:averagetime") meaning.unit = "s";
    columns.push_back(std::move(meaning));
  }
  // rocprofv3 gives copies and kernels both a queue and a stream, and the stream orders them.
  const auto stream = std::find_if(columns.begin(), columns.end(), [](const ColumnMeaning& column) {
    return column.column == Column::queue && plain_name(column.text).starts_with("str");
  });
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    const bool is_second = std::any_of(columns.begin(), column,
                                       [&](const ColumnMeaning& before) { return before.column == column->column; });
    const bool yields = column->column == Column::queue && stream != columns.end() && column != stream;
    if (yields || (is_second && column != stream)) column->column = Column::none;
  }
  // `Grid Size` next to `Block Size` is CUDA's and counts blocks; next to a work-group size it counts work-items.
  const bool is_cuda = std::any_of(columns.begin(), columns.end(),
                                   [](const ColumnMeaning& column) { return plain_name(column.text) == "blocksize"; });
  for (ColumnMeaning& column : columns)
    if (is_cuda && plain_name(column.text) == "gridsize") column.column = Column::grid;
  return columns;
}

bool describes_launches(const std::vector<ColumnMeaning>& columns) {
  const bool has_size = has_column(columns, Column::grid) || has_column(columns, Column::grid_items) ||
                        has_column(columns, Column::grid_x) || has_column(columns, Column::items_x);
  const bool has_block = has_column(columns, Column::block) || has_column(columns, Column::block_x);
  return has_column(columns, Column::name) && has_size && has_block;
}

}  // namespace gdsim
