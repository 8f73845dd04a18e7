#pragma once

#include <cstdint>
#include <optional>

namespace gdsim {

/// Where accumulation registers live: in the file of the others, behind them, or in a file of their own of the same
/// size. A device without them takes none.
enum class Accumulation : std::uint8_t { none, unified, separate };

/// What counts against a work-group's own limit: the registers of its threads, or of as many threads as fill every
/// engine evenly.
enum class WorkGroupCount : std::uint8_t { threads, full_engines };

/// How many of a file's threads are counted when limits are compared: all for which there are registers, or no more
/// than the engine has contexts, so that registers and contexts tie.
enum class FileCount : std::uint8_t { all, at_most_contexts };

/// The vector register file of each engine and how threads are given parts of it. A register is 32 bits of one lane.
struct RegisterRule {
  std::uint64_t per_engine = 0;
  std::uint64_t granule = 1;                   ///< a thread's registers are a multiple of it
  std::optional<std::uint64_t> per_work_item;  ///< the most that a work-item may use
  std::optional<std::uint64_t> per_work_group;
  WorkGroupCount work_group_count = WorkGroupCount::threads;
  Accumulation accumulation = Accumulation::none;
  std::uint64_t accumulation_alignment = 1;  ///< unified: where the accumulation registers of a work-item begin
  FileCount count = FileCount::all;

  /// Registers per work-item that the file must hold: vector and accumulation ones together, or the larger of both.
  std::uint64_t per_lane(std::uint64_t registers, std::uint64_t accumulation_registers) const;
  /// What a thread of `sub_group` work-items occupies.
  std::uint64_t per_thread(std::uint64_t per_lane_registers, std::uint32_t sub_group) const;
};

/// The scalar register file of each engine. A register is shared by all lanes of a thread.
struct ScalarRegisterRule {
  std::uint64_t per_engine = 0;
  std::uint64_t granule = 1;
  std::uint64_t reserve = 0;  ///< taken by every thread on top of what it asks, after rounding
  FileCount count = FileCount::all;

  std::uint64_t per_thread(std::uint64_t registers) const;
};

}  // namespace gdsim
