#include <gdsim/import/profiles/csv/launch_columns.hpp>

#include <gdsim/import/profiles/exact_number.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

namespace gdsim {
namespace {

using Column = LaunchColumn;
using Alias = std::pair<std::string_view, LaunchColumn>;

/// Names in lower case, without blanks, underscores or hyphens.
constexpr std::array kAliases{
    Alias{"name", Column::name},
    Alias{"kernel", Column::name},
    Alias{"kernelname", Column::name},
    Alias{"computingtask", Column::name},
    Alias{"start", Column::start},
    Alias{"starttimestamp", Column::start},
    Alias{"begin", Column::start},
    Alias{"end", Column::end},
    Alias{"endtimestamp", Column::end},
    Alias{"duration", Column::duration},
    Alias{"dur", Column::duration},
    Alias{"time", Column::duration},
    Alias{"computingtask:averagetime", Column::duration},
    Alias{"grid", Column::grid},
    Alias{"griddim", Column::grid},
    Alias{"groups", Column::grid},
    Alias{"workgroups", Column::grid},
    Alias{"blocks", Column::grid},
    Alias{"gridx", Column::grid_x},
    Alias{"gridy", Column::grid_y},
    Alias{"gridz", Column::grid_z},
    Alias{"grdx", Column::grid_x},
    Alias{"grdy", Column::grid_y},
    Alias{"grdz", Column::grid_z},
    Alias{"griddimx", Column::grid_x},
    Alias{"griddimy", Column::grid_y},
    Alias{"griddimz", Column::grid_z},
    Alias{"gridsizex", Column::items_x},
    Alias{"gridsizey", Column::items_y},
    Alias{"gridsizez", Column::items_z},
    Alias{"globalx", Column::items_x},
    Alias{"globaly", Column::items_y},
    Alias{"globalz", Column::items_z},
    Alias{"global", Column::grid_items},
    Alias{"globalsize", Column::grid_items},
    Alias{"grd", Column::grid_items},
    Alias{"gridsize", Column::grid_items},
    Alias{"worksize:global", Column::grid_items},
    Alias{"block", Column::block},
    Alias{"blockdim", Column::block},
    Alias{"blocksize", Column::block},
    Alias{"local", Column::block},
    Alias{"localsize", Column::block},
    Alias{"workgroup", Column::block},
    Alias{"workgroupsize", Column::block},
    Alias{"wgr", Column::block},
    Alias{"worksize:local", Column::block},
    Alias{"blockx", Column::block_x},
    Alias{"blocky", Column::block_y},
    Alias{"blockz", Column::block_z},
    Alias{"blkx", Column::block_x},
    Alias{"blky", Column::block_y},
    Alias{"blkz", Column::block_z},
    Alias{"blockdimx", Column::block_x},
    Alias{"blockdimy", Column::block_y},
    Alias{"blockdimz", Column::block_z},
    Alias{"localx", Column::block_x},
    Alias{"localy", Column::block_y},
    Alias{"localz", Column::block_z},
    Alias{"workgroupsizex", Column::block_x},
    Alias{"workgroupsizey", Column::block_y},
    Alias{"workgroupsizez", Column::block_z},
    Alias{"registers", Column::registers},
    Alias{"reg/trd", Column::registers},
    Alias{"registersperthread", Column::registers},
    Alias{"vgprcount", Column::registers},
    Alias{"archvgpr", Column::registers},
    Alias{"vgpr", Column::registers},
    Alias{"accumvgprcount", Column::accumulation_registers},
    Alias{"accumvgpr", Column::accumulation_registers},
    Alias{"accumulationregisters", Column::accumulation_registers},
    Alias{"sgprcount", Column::scalar_registers},
    Alias{"sgpr", Column::scalar_registers},
    Alias{"scalarregisters", Column::scalar_registers},
    Alias{"slm", Column::static_slm},
    Alias{"staticslm", Column::static_slm},
    Alias{"staticsmem", Column::static_slm},
    Alias{"stcsmem", Column::static_slm},
    Alias{"sharedmemory", Column::static_slm},
    Alias{"shared", Column::static_slm},
    Alias{"sharedmem", Column::static_slm},
    Alias{"smem", Column::static_slm},
    Alias{"staticshared", Column::static_slm},
    Alias{"staticsharedmemory", Column::static_slm},
    Alias{"lds", Column::static_slm},
    Alias{"ldsblocksize", Column::static_slm},
    Alias{"ldsperworkgroup", Column::static_slm},
    Alias{"groupsegmentsize", Column::static_slm},
    Alias{"dynamicslm", Column::dynamic_slm},
    Alias{"dynamicsmem", Column::dynamic_slm},
    Alias{"dynamicshared", Column::dynamic_slm},
    Alias{"dymsmem", Column::dynamic_slm},
    Alias{"dynamicsharedmemory", Column::dynamic_slm},
    Alias{"subgroup", Column::sub_group},
    Alias{"subgroupsize", Column::sub_group},
    Alias{"wavesize", Column::sub_group},
    Alias{"warpsize", Column::sub_group},
    Alias{"simd", Column::sub_group},
    Alias{"computingtask:simdwidth", Column::sub_group},
    Alias{"cluster", Column::cluster},
    Alias{"clustersize", Column::cluster},
    Alias{"bytes", Column::bytes},
    Alias{"size", Column::bytes},
    Alias{"throughput", Column::throughput},
    Alias{"srcmemkd", Column::source_memory},
    Alias{"srcmemtype", Column::source_memory},
    Alias{"dstmemkd", Column::target_memory},
    Alias{"dstmemtype", Column::target_memory},
    Alias{"direction", Column::copy_kind},
    Alias{"copykind", Column::copy_kind},
    Alias{"device", Column::device},
    Alias{"agentid", Column::device},
    Alias{"gpuid", Column::device},
    Alias{"strm", Column::queue},
    Alias{"stream", Column::queue},
    Alias{"streamid", Column::queue},
    Alias{"queue", Column::queue},
    Alias{"queueid", Column::queue},
    Alias{"corrid", Column::correlation},
    Alias{"correlation", Column::correlation},
    Alias{"correlationid", Column::correlation},
    Alias{"count", Column::count},
    Alias{"instances", Column::count},
    Alias{"computingtask:instancecount", Column::count},
};

LaunchColumn column_called(std::string_view name) {
  for (const auto& [alias, column] : kAliases)
    if (alias == name) return column;
  return Column::none;
}

std::string plain(std::string_view text) {
  std::string name;
  for (const char c : text)
    if (c != ' ' && c != '_' && c != '-')
      name.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return name;
}

/// Splits off a unit: `Start (ns)`, `GpuTime[ns]`, `Start:ts_ns`, `start_ns`, and `BeginNs`.
std::pair<std::string_view, std::string_view> split_unit(std::string_view text) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}})
    if (text.ends_with(close))
      if (const std::size_t begin = text.rfind(open); begin != std::string_view::npos && begin > 0)
        return {text.substr(0, begin), text.substr(begin + 1, text.size() - begin - 2)};
  for (const std::string_view unit : {":ts_ns", ":dur_ns", ":mem_B"})
    if (text.ends_with(unit)) return {text.substr(0, text.size() - unit.size()), unit.substr(1)};
  const std::size_t underscore = text.rfind('_');
  if (underscore != std::string_view::npos && underscore > 0) {
    const std::string_view unit = text.substr(underscore + 1);
    if (time_exponent(unit) || unit == "bytes" || unit == "KiB" || unit == "MiB")
      return {text.substr(0, underscore), unit};
  }
  if (text.size() > 2 && text.ends_with("Ns")) return {text.substr(0, text.size() - 2), "ns"};
  return {text, {}};
}

bool has_column(const std::vector<ColumnMeaning>& columns, LaunchColumn wanted) {
  return std::any_of(columns.begin(), columns.end(), [&](const ColumnMeaning& one) { return one.column == wanted; });
}

}  // namespace

std::vector<ColumnMeaning> column_meanings(const std::vector<std::string>& header) {
  std::vector<ColumnMeaning> columns;
  for (const std::string& cell : header) {
    ColumnMeaning meaning{column_called(plain(cell)), "", cell};
    if (meaning.column == Column::none) {
      const auto [name, unit] = split_unit(cell);
      meaning.column = column_called(plain(name));
      meaning.unit = unit;
    }
    const bool is_time =
        meaning.column == Column::start || meaning.column == Column::end || meaning.column == Column::duration;
    const std::string name = plain(cell);
    if (is_time && meaning.unit.empty() && name.ends_with("timestamp")) meaning.unit = "ns";
    if (meaning.column == Column::duration && name == "computingtask:averagetime") meaning.unit = "s";
    columns.push_back(std::move(meaning));
  }
  // rocprofv3 gives copies and kernels both a queue and a stream, and the stream orders them.
  const auto stream = std::find_if(columns.begin(), columns.end(), [](const ColumnMeaning& one) {
    return one.column == Column::queue && plain(one.text).starts_with("str");
  });
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    const bool is_second = std::any_of(columns.begin(), column,
                                       [&](const ColumnMeaning& before) { return before.column == column->column; });
    const bool yields = column->column == Column::queue && stream != columns.end() && column != stream;
    if (yields || (is_second && column != stream)) column->column = Column::none;
  }
  // `Grid Size` next to `Block Size` is CUDA's and counts blocks; next to a work-group size it counts work-items.
  const bool is_cuda = std::any_of(columns.begin(), columns.end(),
                                   [](const ColumnMeaning& one) { return plain(one.text) == "blocksize"; });
  for (ColumnMeaning& one : columns)
    if (is_cuda && plain(one.text) == "gridsize") one.column = Column::grid;
  return columns;
}

bool describes_launches(const std::vector<ColumnMeaning>& columns) {
  const bool has_size = has_column(columns, Column::grid) || has_column(columns, Column::grid_items) ||
                        has_column(columns, Column::grid_x) || has_column(columns, Column::items_x);
  const bool has_block = has_column(columns, Column::block) || has_column(columns, Column::block_x);
  return has_column(columns, Column::name) && has_size && has_block;
}

}  // namespace gdsim
