#pragma once

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/scenario/device/models.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The unit of times in a log: no times, ticks of a clock, or picoseconds.
enum class LogTime : std::uint8_t { none, ticks, picoseconds };

/// The number of units of LoggedGroup::start in one tick of a clock.
inline constexpr std::int64_t kUnitsPerTick = 1'000;

/// The core of a work-group, and its times, if the log has them, in picoseconds or in 1 / kUnitsPerTick of a tick.
struct LoggedGroup {
  std::uint64_t number = 0;
  std::uint32_t core = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;   ///< the first instant at which it no longer holds its core
  std::uint32_t row = 0;  ///< its line in the log
  /// By thread, if the log has thread ends; empty: `end`.
  std::vector<std::int64_t> thread_ends = {};
};

/// A launch and its description, as far as the log has it.
struct LoggedLaunch {
  std::string name;
  std::optional<std::uint64_t> work_items;    ///< of a work-group
  std::optional<std::uint32_t> threads;       ///< of a work-group: warps, waves
  std::optional<std::uint32_t> registers;     ///< per work-item
  std::optional<Bytes> shared;                ///< per work-group
  std::uint64_t grid = 0;                     ///< work-groups; by default, the number of them in the log
  std::optional<std::int64_t> launched = {};  ///< when it was launched, in units of LoggedGroup::start
  std::vector<LoggedGroup> groups;            ///< by number
  SourceMark mark;                            ///< of its first row
};

/// The launches of one device that was idle before. They may be concurrent, and are in the order of the log.
struct LogSession {
  std::string name;
  std::uint32_t cores = 0;   ///< the numbers of its cores are below this
  bool is_in_order = false;  ///< starts rise from row to row: those of one instant are in the order of rows
  std::vector<LoggedLaunch> launches;
};

/// The core of each work-group.
struct PlacementLog {
  std::vector<LogSession> sessions;
  LogTime time = LogTime::none;
  std::string core_column;           ///< its name in the log
  bool is_of_shader_engine = false;  ///< cores are numbered within one shader engine
  std::uint32_t shader_arrays = 1;   ///< of the shader engine, each with the same number of cores
  /// The time from the end of a slot's use to its reuse, if it was measured: no other recovery is tried.
  std::optional<std::int64_t> recovery = {};
  std::int64_t noise = 0;          ///< maximum error of starts and ends, in units of LoggedGroup::start
  std::vector<std::string> notes;  ///< assumptions and omissions, for a person

  std::size_t launches() const;
  std::size_t groups() const;
};

/// Reads a table of work-groups by the names of its columns. If it has several GPUs, the rows of `device` are read;
/// `names` are other names of models.
/// Every problem is added with its place; the result is usable only if there is none.
PlacementLog read_placement_log(const SourceText& source, const std::string& device, Diagnostics& problems,
                                const std::vector<DeviceName>& names = {});

/// The meaning of a column of a placement log, whatever its name is.
enum class LogColumn : std::uint8_t {
  group,
  core,
  start,
  end,
  last_cycle,  ///< the last one in which the core was held
  kernel,
  gpu,
  launch,
  test,
  threads,
  registers,
  shared,
  blocks,
  shader_engine,
  shader_array,
  launched,
  trace,      ///< rows with different values are of different traces, each with its own clock
  execution,  ///< the same for executions
  simd,       ///< this and the next four: not used for inference
  slot,
  stream,
  queue,
  fully_placed,
  threads_first_placed  ///< as in a table that gdsim wrote: `threads` counts sub-groups
};

/// The columns of a placement log. Times without a unit count ticks of a clock.
class LogColumns : public NamedColumns<LogColumn> {
 public:
  /// Adds to `problems` what NamedColumns does, and missing columns that are required.
  LogColumns(const CsvDocument& table, Diagnostics& problems);
};

/// A row of a placement log: a work-group, or a thread of one.
struct LogRow {
  std::string session;  ///< rows of one session ran on one device, on one clock
  std::string launch;   ///< within the session
  std::string kernel;
  LoggedLaunch description;  ///< without groups
  std::uint64_t number = 0;
  std::uint32_t shader_array = 0;
  std::uint32_t core = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  SourceMark mark;
};

/// The rows of a table, and the unit of its times.
struct LogRows {
  std::vector<LogRow> rows;
  LogTime time = LogTime::none;
  bool has_numbers = false;  ///< rows have numbers of work-groups
};

/// Reads the rows whose GPU is `gpu`, or all if that is empty. Every problem is added with its row.
LogRows read_log_rows(const CsvDocument& table, const LogColumns& columns, const std::string& gpu);

/// Returns the device of a log: the model, with the log's number of cores if the model is that of a family, or if the
/// log is that of one shader engine. A core beyond those of a product is added to `problems`.
DeviceSpec device_of_log(const DeviceSpec& model, PlacementLog& log, const SourceText& source, Diagnostics& problems);

/// The needs of a work-group of each launch of a session, and the capacity of a core. Both follow the device's rules
/// or, if a log does not describe the launches, the number that it shows at once on a core.
struct LogFootprints {
  DeviceSpec device;
  std::vector<Footprint> of_launch;
  bool is_described = false;  ///< they follow from the descriptions of the log and the device
};

/// Returns true if a core of the session holds more work-groups at once than fit by the log's description. Returns
/// false if the log does not describe their sizes.
bool holds_more_than_fit(const LogSession& session, LogTime time, const DeviceSpec& device);

/// Returns the footprints of a session on the device. If work-groups are admitted whole and the log shows more of them
/// on a core at once than the device allows, the log is believed. Assumptions are added to `notes`, work-groups that
/// the device could never hold to `problems`.
LogFootprints footprints_of(const LogSession& session, LogTime time, const DeviceSpec& device, Admission admission,
                            std::vector<std::string>& notes, Diagnostics& problems);

}  // namespace gdsim
