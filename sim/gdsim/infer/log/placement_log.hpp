#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/scenario/device/model_names.hpp>

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

}  // namespace gdsim
