#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Whether a log says when work-groups ran: not at all, in ticks of a clock, or in picoseconds.
enum class LogTime : std::uint8_t { none, ticks, picoseconds };

/// So many units of LoggedGroup::start are one tick of a clock.
inline constexpr std::int64_t kUnitsPerTick = 1'000;

/// Where a work-group ran. Times, if the log has them, are in picoseconds or in 1 / kUnitsPerTick of a tick.
struct LoggedGroup {
  std::uint64_t number = 0;
  std::uint32_t core = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;   ///< the first instant at which it does not hold its core any more
  std::uint32_t row = 0;  ///< its line in the log
  /// Of each of its threads, where the log says it; empty: `end`.
  std::vector<std::int64_t> thread_ends = {};
};

/// A launch and what describes it, as far as the log says.
struct LoggedLaunch {
  std::string name;
  std::optional<std::uint64_t> work_items;    ///< of a work-group
  std::optional<std::uint32_t> threads;       ///< of a work-group: warps, waves
  std::optional<std::uint32_t> registers;     ///< per work-item
  std::optional<Bytes> shared;                ///< per work-group
  std::uint64_t grid = 0;                     ///< work-groups; of a log that does not say, as many as it has
  std::optional<std::int64_t> launched = {};  ///< when it was launched, in units of LoggedGroup::start
  std::vector<LoggedGroup> groups;            ///< by number
  SourceMark mark;                            ///< of its first row
};

/// What ran on one device, idle before: launches beside each other, in the order of the log.
struct LogSession {
  std::string name;
  std::uint32_t cores = 0;   ///< cores that it names lie below
  bool is_in_order = false;  ///< starts rise from row to row: those of one instant are in the order of rows
  std::vector<LoggedLaunch> launches;
};

/// Which work-group ran on which core.
struct PlacementLog {
  std::vector<LogSession> sessions;
  LogTime time = LogTime::none;
  std::string core_column;           ///< as it is called there
  bool is_of_shader_engine = false;  ///< cores are numbered within one shader engine
  std::uint32_t shader_arrays = 1;   ///< of it, each with as many cores
  /// How long after their end slots could be reused, if that was measured: no other recovery is tried.
  std::optional<std::int64_t> recovery = {};
  std::int64_t noise = 0;          ///< starts and ends may be off by so much, in units of LoggedGroup::start
  std::vector<std::string> notes;  ///< what was assumed and what was left out, for a person

  std::size_t launches() const;
  std::size_t groups() const;
};

/// Reads a table of work-groups by the names of its columns. Of several GPUs, the rows of `device` are taken. Every
/// problem is added with its place; the answer is usable only if there is none.
PlacementLog read_placement_log(const SourceText& source, const std::string& device, Diagnostics& problems);

}  // namespace gdsim
