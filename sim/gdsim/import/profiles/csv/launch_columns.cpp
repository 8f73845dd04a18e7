#include <gdsim/import/profiles/csv/launch_columns.hpp>

#include <gdsim/base/column_names.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
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
  for (const ColumnAliases<Column>& one : kColumns)
    if (is_among(plain, one.names)) return one.meaning;
  return Column::none;
}

bool has_column(const std::vector<ColumnMeaning>& columns, LaunchColumn wanted) {
  return std::any_of(columns.begin(), columns.end(), [&](const ColumnMeaning& one) { return one.column == wanted; });
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
  const auto stream = std::find_if(columns.begin(), columns.end(), [](const ColumnMeaning& one) {
    return one.column == Column::queue && plain_name(one.text).starts_with("str");
  });
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    const bool is_second = std::any_of(columns.begin(), column,
                                       [&](const ColumnMeaning& before) { return before.column == column->column; });
    const bool yields = column->column == Column::queue && stream != columns.end() && column != stream;
    if (yields || (is_second && column != stream)) column->column = Column::none;
  }
  // `Grid Size` next to `Block Size` is CUDA's and counts blocks; next to a work-group size it counts work-items.
  const bool is_cuda = std::any_of(columns.begin(), columns.end(),
                                   [](const ColumnMeaning& one) { return plain_name(one.text) == "blocksize"; });
  for (ColumnMeaning& one : columns)
    if (is_cuda && plain_name(one.text) == "gridsize") one.column = Column::grid;
  return columns;
}

bool describes_launches(const std::vector<ColumnMeaning>& columns) {
  const bool has_size = has_column(columns, Column::grid) || has_column(columns, Column::grid_items) ||
                        has_column(columns, Column::grid_x) || has_column(columns, Column::items_x);
  const bool has_block = has_column(columns, Column::block) || has_column(columns, Column::block_x);
  return has_column(columns, Column::name) && has_size && has_block;
}

}  // namespace gdsim
