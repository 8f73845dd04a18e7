#pragma once

#include <gdsim/base/quantity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A limited resource of a core, as users know it. The order is the order in which limiters are reported.
enum class Resource : std::uint8_t { threads, work_group_slots, slm, barriers, registers, scalar_registers };

inline constexpr std::size_t kResourceCount = static_cast<std::size_t>(Resource::scalar_registers) + 1;

/// Returns the name used in files: `threads`, `work_group_slots`, `slm`, `barriers`, `registers`, `scalar_registers`.
/// Thread-safe.
std::string_view name_of(Resource resource);

/// The number of work-groups of a kernel that an empty core can hold, by each resource alone. A value: its functions
/// are thread-safe.
struct ResourceLimits {
  /// By Resource; nullopt if the kernel needs none of it or the device does not limit it.
  std::array<std::optional<std::uint64_t>, kResourceCount> work_groups;

  std::optional<std::uint64_t> limit_of(Resource r) const { return work_groups[static_cast<std::size_t>(r)]; }
  /// Returns the minimum over all resources; 0 if none limits the work-groups.
  std::uint64_t work_groups_per_core() const;
  /// Returns the resources that have this minimum, in the order of Resource.
  std::vector<Resource> limiters() const;
};

/// The rate of an engine for one kind of arithmetic: operations of work-items per clock cycle; for kinds whose name
/// begins with `tensor_`, multiply-adds per clock cycle.
struct ArithmeticRate {
  std::string kind;  ///< a lower-case letter, then lower-case letters, digits and underscores; the device chooses it
  Decimal per_cycle;
  /// The pipe that executes it, which kinds of the same pipe share. Empty: that of all `tensor_` kinds, or one of its
  /// own.
  std::string pipe{};
  /// Cycles from an instruction to one that needs its result; nullopt: not known.
  std::optional<Decimal> latency{};
};

/// The kinds of arithmetic that a device knows, each once, in the order of its file. Empty: it knows none.
using ArithmeticRule = std::vector<ArithmeticRate>;

/// The banks through which threads reach shared local memory: consecutive words of `bank_width` lie in consecutive
/// banks, and each bank serves one word per cycle. Lanes that access the same word at once are served together.
struct SlmAccess {
  std::uint32_t banks = 0;
  Bytes bank_width{4};
  StepTime latency;  ///< of the last access of a step, after it was served
  /// Accesses of sub-groups that are served side by side, each by `banks` banks of its own.
  std::uint32_t accesses_per_cycle = 1;
};

template <class Visit>
void visit_keys(Is<SlmAccess> auto& rule, Visit visit) {
  visit("banks", rule.banks);
  visit("bank_width", rule.bank_width);
  visit("latency", rule.latency);
  visit("accesses_per_cycle", rule.accesses_per_cycle);
}

/// Whether a core's SLM is the memory of its L1.
enum class SlmPlace : std::uint8_t {
  unified,   ///< it is: accesses to SLM wait for the pipe of L1
  separate,  ///< it is not: L1 and the banks of SLM serve side by side
};
constexpr auto words_of(SlmPlace) { return std::array<std::string_view, 2>{"unified", "separate"}; }

/// The pipe through which threads of a core reach its L1 cache.
struct L1Rule {
  Decimal lines_per_cycle;  ///< more than 0; with unified SLM, a line is one cycle of all its banks
  StepTime latency;         ///< of the last access of a step, after it was served and all was issued
  SlmPlace slm = SlmPlace::unified;
};

template <class Visit>
void visit_keys(Is<L1Rule> auto& rule, Visit visit) {
  visit("lines_per_cycle", rule.lines_per_cycle);
  visit("latency", rule.latency);
  visit("slm", rule.slm);
}

/// The bytes that a written sector of 32 bytes counts against the bandwidth of the fastest memory level that all cores
/// share, if that level is not the last.
struct WrittenSectorRule {
  Bytes whole{32};        ///< all its bytes are written by one access of a thread
  Bytes partial{32};      ///< only some of them are
  bool is_merged = true;  ///< caches keep sectors that are written in part until the other parts have come
};

template <class Visit>
void visit_keys(Is<WrittenSectorRule> auto& rule, Visit visit) {
  visit("whole", rule.whole);
  visit("partial", rule.partial);
  visit("merged", rule.is_merged);
}

/// Returns the cycles that `banks` banks need for one access of a sub-group: the maximum number of words requested from
/// one bank. Lane i requests `bytes` bytes at i x stride x bytes. `stride` may be 0: all request the same. Banks, their
/// width, `sub_group` and `bytes` are above 0. Thread-safe.
std::uint64_t cycles_per_access(const SlmAccess& slm, std::uint32_t sub_group, std::uint64_t stride,
                                std::uint64_t bytes);

/// How a core's shared local memory is allocated to work-groups. A value: its functions are thread-safe, and require a
/// `granule` above 0, or `sizes`.
///
///     device.slm.per_core = device.slm.per_work_group = gdsim::Bytes{64 * 1024};
///     device.slm.granule = gdsim::Bytes{1024};
///     std::cout << gdsim::to_text(device.slm.allocated(gdsim::Bytes{1500}).value()) << '\n';  // 2 KiB
struct SlmRule {
  Bytes per_core;
  /// The maximum that one work-group may request, by opting in where that is needed.
  Bytes per_work_group;
  /// The maximum without opting in; nullopt: no opt-in is needed.
  std::optional<Bytes> without_opt_in;
  /// The sizes in which memory is allocated, ascending; empty: multiples of `granule`.
  std::vector<Bytes> sizes;
  Bytes granule{1};
  /// Taken by every work-group on top of its request.
  Bytes reserve;
  /// The sizes that a core's memory can be set to, the rest being cache; empty: always all of it.
  std::vector<Bytes> pools;

  /// Returns the memory that a request occupies, reserve included, or nullopt if no size is large enough.
  std::optional<Bytes> allocated(Bytes request) const;
  /// Returns the pool of a core for work-groups that occupy `allocated`, if `carveout_percent` of its memory is
  /// requested: the smallest that is not below the request and in which such a work-group fits. Without a request, all
  /// of the memory.
  Bytes pool(std::optional<std::uint32_t> carveout_percent, Bytes allocated) const;
};

template <class Visit>
void visit_keys(Is<SlmRule> auto& rule, Visit visit) {
  visit("per_core", rule.per_core);
  visit("per_work_group", rule.per_work_group);
  visit("without_opt_in", rule.without_opt_in);
  visit("sizes", rule.sizes);
  visit("granule", rule.granule);
  visit("reserve", rule.reserve);
  visit("pools", rule.pools);
}

/// Where accumulation registers live: in the file of the vector registers, after them, or in a file of their own of the
/// same size. A device without such registers has `none`.
enum class Accumulation : std::uint8_t { none, unified, separate };
constexpr auto words_of(Accumulation) { return std::array<std::string_view, 3>{"none", "unified", "separate"}; }

/// The registers that count against a work-group's own limit: those of its threads, or of the threads that would fill
/// every engine evenly.
enum class WorkGroupRegisterBasis : std::uint8_t { threads, full_engines };
constexpr auto words_of(WorkGroupRegisterBasis) { return std::array<std::string_view, 2>{"threads", "full_engines"}; }

/// The number of threads for which a file has room when limits are compared: all for which it has registers, or no more
/// than the engine has contexts, so that registers and contexts tie.
enum class RegisterThreadLimit : std::uint8_t { uncapped, capped_at_contexts };
constexpr auto words_of(RegisterThreadLimit) { return std::array<std::string_view, 2>{"all", "at_most_contexts"}; }

/// The vector register file of each engine, and its allocation to threads. A register is 32 bits of one lane. A value:
/// its functions are thread-safe, and require that granule and alignment are above 0.
///
///     gdsim::RegisterRule registers;
///     registers.per_engine = 16'384;
///     registers.granule = 256;
///     device.registers = registers;
struct RegisterRule {
  std::uint64_t per_engine = 0;
  std::uint64_t granule = 1;                   ///< a thread's registers are a multiple of it
  std::optional<std::uint64_t> per_work_item;  ///< the maximum that a work-item may use
  std::optional<std::uint64_t> per_work_group;
  WorkGroupRegisterBasis work_group_basis = WorkGroupRegisterBasis::threads;
  Accumulation accumulation = Accumulation::none;
  std::uint64_t accumulation_alignment = 1;  ///< unified: where the accumulation registers of a work-item begin
  RegisterThreadLimit thread_limit = RegisterThreadLimit::uncapped;

  /// Registers per work-item that the file must hold: vector and accumulation ones together, or the larger of both.
  std::uint64_t per_lane(std::uint64_t registers, std::uint64_t accumulation_registers) const;
  /// Returns the registers that a thread of `sub_group` work-items occupies.
  std::uint64_t per_thread(std::uint64_t per_lane_registers, std::uint32_t sub_group) const;
};

template <class Visit>
void visit_keys(Is<RegisterRule> auto& rule, Visit visit) {
  visit("per_engine", rule.per_engine);
  visit("granule", rule.granule);
  visit("per_work_item", rule.per_work_item);
  visit("per_work_group", rule.per_work_group);
  visit("work_group_count", rule.work_group_basis);
  visit("accumulation", rule.accumulation);
  visit("accumulation_alignment", rule.accumulation_alignment);
  visit("count", rule.thread_limit);
}

/// The scalar register file of each engine. A register is shared by all lanes of a thread. per_thread() requires a
/// `granule` above 0.
struct ScalarRegisterRule {
  std::uint64_t per_engine = 0;
  std::uint64_t granule = 1;
  std::uint64_t reserve = 0;  ///< taken by every thread on top of its request, after rounding
  RegisterThreadLimit thread_limit = RegisterThreadLimit::uncapped;

  std::uint64_t per_thread(std::uint64_t registers) const;
};

template <class Visit>
void visit_keys(Is<ScalarRegisterRule> auto& rule, Visit visit) {
  visit("per_engine", rule.per_engine);
  visit("granule", rule.granule);
  visit("reserve", rule.reserve);
  visit("count", rule.thread_limit);
}

/// A declared, not derived, model of power: it sets the device's clock by the number of contexts that were held. At the
/// end of each period, it chooses the highest clock under which `idle` plus the power of the contexts held in the
/// period, on average, is no more than `limit`; else the lowest clock.
struct PowerRule {
  /// The power that a context takes while a thread holds it.
  struct Level {
    Hertz clock;
    Power per_busy_context;
  };

  Power limit;
  Power idle;  ///< under any clock
  Duration period;
  std::vector<Level> levels;  ///< by rising clock
};

template <class Visit>
void visit_keys(Is<PowerRule> auto& rule, Visit visit) {
  visit("limit", rule.limit);
  visit("idle", rule.idle);
  visit("period", rule.period);
}

}  // namespace gdsim
