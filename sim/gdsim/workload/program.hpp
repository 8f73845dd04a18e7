#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {

/// Limits of a program.
inline constexpr std::uint64_t kMaxOutstanding = 64;                       ///< asynchronous loads of a thread at once
inline constexpr std::uint64_t kMaxInstructions = std::uint64_t{1} << 40;  ///< of a kind, in one step
inline constexpr std::uint64_t kMaxL1Lines = std::uint64_t{1} << 40;       ///< of one step
inline constexpr std::size_t kMaxL1Accesses = 1'024;                       ///< in one step
inline constexpr Bytes kMaxElementBytes{1'024};
inline constexpr std::uint64_t kMaxPassedWaits = 65'536;  ///< by a signal with `initially`
inline constexpr std::uint64_t kMaxIterations = std::uint64_t{1} << 60;
inline constexpr std::uint64_t kMaxTiles = std::uint64_t{1} << 20;  ///< of a list
inline constexpr std::size_t kMaxTileBodies = 4'096;                ///< different bodies of the tiles of a list

struct Step;

/// The steps of each thread of a kernel, first to last.
///
///     const gdsim::StepTime ten_us = gdsim::parse_step_time("10 us").value.value();
///     const gdsim::Loop eight_times{.count = 8, .body = {gdsim::Compute{ten_us}, gdsim::Barrier{}}};
///     const gdsim::Program program{gdsim::Memory{.bytes = gdsim::Bytes{4096}}, eight_times};
using Program = std::vector<Step>;

/// A thread is busy for a fixed time, whatever else is resident.
struct Compute {
  StepTime time;
};

/// Instructions of one kind that one thread issues; for a kind whose name begins with `tensor_`, the multiply-adds of
/// one thread, all its lanes together. The device has the rate of its engines for each kind
/// (`DeviceSpec::arithmetic`).
struct InstructionCount {
  std::string kind;
  std::uint64_t count = 1;
  bool is_by_shape = false;  ///< a file counts matrix instructions, so that the unit of `count` is not in doubt
};

/// The use of a core's L1 pipe by the requests of one instruction of a source text, in one step of one thread.
struct L1Access {
  std::uint64_t lines = 1;                 ///< of all its requests; in SLM, cycles of the banks
  std::optional<std::uint64_t> coalesced;  ///< lines, if neighboring lanes accessed neighboring addresses
  std::uint64_t requests = 1;              ///< a thread's, all its lanes together
  std::optional<std::uint64_t> sectors;    ///< touched, 32 B each: for people, not for the model
  std::uint32_t source_line = 0;           ///< of the text that was compiled; 0: not known
  std::string instruction;                 ///< `ld.global.f32`; empty: not known
  std::uint64_t excess_sectors = 0;        ///< leave L1 only because lanes are not coalesced
};

template <class Visit>
void visit_keys(Is<L1Access> auto& rule, Visit visit) {
  visit("instruction", rule.instruction);
  visit("requests", rule.requests);
  visit("lines", rule.lines);
  visit("coalesced", rule.coalesced);
  visit("sectors", rule.sectors);
  visit("excess_sectors", rule.excess_sectors);
}

/// A thread needs a number of issue slots of its engine, which the engine's runnable threads share equally: `slots`, or
/// the number for which its instructions occupy the engine. With accesses to L1, it needs the core's pipe at the same
/// time, and continues when both are done.
struct IssueSlots {
  StepTime slots;
  std::vector<InstructionCount> by_kind{};  ///< each kind once; unless empty, they count and `slots` does not
  std::vector<L1Access> l1{};               ///< empty: it needs no pipe
};

/// Sectors of 32 bytes that a thread writes with one step. WrittenSectorRule of the device gives their costs.
struct WrittenSectors {
  std::uint64_t whole = 0;    ///< written completely by an access
  std::uint64_t partial = 0;  ///< written partly by an access

  friend bool operator==(const WrittenSectors&, const WrittenSectors&) = default;
};

template <class Visit>
void visit_keys(Is<WrittenSectors> auto& rule, Visit visit) {
  visit("whole", rule.whole);
  visit("partial", rule.partial);
}

/// The bytes of a sector, the least that a write changes.
inline constexpr std::uint64_t kSectorBytes = 32;

/// A thread moves a number of bytes from or to global memory, whose bandwidth all threads share. If the step is
/// asynchronous, the thread continues at once; the load ends when a synchronous step of these bytes would end.
struct Memory {
  Bytes bytes;
  bool is_asynchronous = false;
  /// `bytes` are whole lines, so they do not scale with the number of work-items.
  bool counts_lines = false;
  std::optional<WrittenSectors> written{};  ///< nullopt: it reads, or its writes count by their bytes only
  bool is_posted = false;                   ///< a file says `store`
  bool is_block = false;                    ///< one message for all lanes, of consecutive bytes
  /// So many work-groups of a cluster get the same bytes from one read of the levels beyond their cores.
  std::uint32_t multicast = 1;
};

template <class Visit>
void visit_keys(Is<Memory> auto& rule, Visit visit) {
  visit("asynchronous", rule.is_asynchronous);
  visit("multicast", rule.multicast);
  visit("written", rule.written);
  visit("block", rule.is_block);
}

/// Returns true for a store: a step that says so, or whose written sectors make up all its bytes. Stores are posted:
/// they take bandwidth, but their threads continue at once, and only a `fence` and the end of the launch wait for them.
inline bool is_store(const Memory& step) {
  if (step.is_posted || !step.written) return step.is_posted;
  return (step.written->whole + step.written->partial) * kSectorBytes >= static_cast<std::uint64_t>(step.bytes.count);
}

/// A thread waits until all but the last `outstanding` of its asynchronous loads have ended.
/// At its end, a thread waits for all.
struct WaitMemory {
  std::uint64_t outstanding = 0;
};

template <class Visit>
void visit_keys(Is<WaitMemory> auto& rule, Visit visit) {
  visit("outstanding", rule.outstanding);
}

/// A thread makes its earlier accesses to memory visible to all cores: it waits for all of its asynchronous loads, for
/// all of its stores, and then for one latency of the fastest memory level that all cores share.
struct Fence {};

/// A thread accesses shared local memory; the banks of its core serve all its threads.
struct Slm {
  std::uint64_t accesses = 1;
  std::uint64_t stride = 1;  ///< between neighboring lanes, in elements
  std::uint64_t bytes = 4;   ///< of an element
};

template <class Visit>
void visit_keys(Is<Slm> auto& rule, Visit visit) {
  visit("accesses", rule.accesses);
  visit("stride", rule.stride);
  visit("bytes", rule.bytes);
}

/// Where atomic accesses go.
enum class AtomicSpace : std::uint8_t {
  slm,    ///< to addresses of the work-group, in the SLM of its core
  global  ///< to addresses that all work-groups have in common
};
constexpr auto words_of(AtomicSpace) { return std::array<std::string_view, 2>{"slm", "global"}; }

/// What atomic accesses change.
enum class AtomicType : std::uint8_t { integer, floating };
constexpr auto words_of(AtomicType) { return std::array<std::string_view, 2>{"int", "float"}; }

/// Each work-item of a thread accesses `accesses` addresses atomically, one after the other. The accesses are spread
/// evenly over `addresses` addresses; those of one address are served one after the other.
struct Atomic {
  std::uint64_t accesses = 1;
  std::uint64_t addresses = 1;
  AtomicSpace space{};
  AtomicType type{};  ///< floating: only in global memory, where a device may have another rate for it
};

template <class Visit>
void visit_keys(Is<Atomic> auto& rule, Visit visit) {
  visit("accesses", rule.accesses);
  visit("addresses", rule.addresses);
  visit("space", rule.space);
  visit("type", rule.type);
}

/// A thread waits until other threads have arrived, placed or not. Without a name: every thread of its work-group. With
/// a name: every thread that has a barrier or a signal of that name in its program.
struct Barrier {
  std::string name;
};

/// The number of a flag that the work-groups of a launch share, see model/steps/barriers.hpp; nullopt: the name is that
/// of a barrier inside of each work-group.
using FlagIndex = std::optional<std::int64_t>;

/// The first half of a split barrier: a thread signals its arrival, and continues.
struct Signal {
  std::string name;
  FlagIndex index{};
  std::uint64_t initially = 0;  ///< so many waits of each thread for this name pass at once, see initially_passed()
};

/// The second half of a split barrier: a thread waits until all threads that signal this name have done so. Its n-th
/// `wait` waits for their n-th signal.
struct Wait {
  std::string name;
  FlagIndex index{};
};

/// A thread waits until all threads of its launch that have a grid barrier in their program have arrived. `cost` lies
/// between the last arrival and the opening.
struct GridBarrier {
  StepTime cost;
};

/// The thread's work-group lets launches begin that wait for the triggers of its launch. The first thread that executes
/// this step does so for all.
struct Trigger {};

/// A thread waits until the launches have ended for whose triggers its own launch waited.
struct WaitDependencies {};

/// Whether threads continue at once after a child was launched, or only when it has ended.
enum class ChildWait : std::uint8_t { no, yes };
constexpr auto words_of(ChildWait) { return std::array<std::string_view, 2>{"false", "true"}; }

/// A work-group launches a whole run of `kernel`, once, when the first of its threads reach this step. Not allowed
/// inside loops and divergent parts.
struct LaunchChild {
  KernelId kernel{};
  ChildWait wait = ChildWait::no;
};

/// Repeats `body` `count` times.
struct Loop {
  std::uint64_t count = 1;
  Program body;
};

/// How the tiles of a list are given out.
enum class TileTake : std::uint8_t {
  by_number,  ///< tile i goes to taker i mod takers
  on_demand   ///< the next request gets the next tile, as from an atomic counter
};
constexpr auto words_of(TileTake) { return std::array<std::string_view, 2>{"static", "atomic"}; }

/// The unit that takes a tile: a work-group, all of whose threads execute the body for it, or a single thread.
enum class TileTaker : std::uint8_t { work_group, thread };
constexpr auto words_of(TileTaker) { return std::array<std::string_view, 2>{"work_group", "thread"}; }

/// `body`, once for each tile that the thread or its work-group takes from a list, until none is left: a persistent
/// kernel. Not allowed inside loops and divergent parts.
struct Tiles {
  std::string list;         ///< each list once in a program; kernels that name the same list share it
  std::uint64_t count = 1;  ///< tiles, numbered from 0
  TileTake take{};
  TileTaker per{};
  StepTime cost;  ///< of each take; of an unsuccessful take only if tiles are taken on demand
  Program body;
  /// Bodies of single tiles, each once: the same steps as `body` (have_same_steps()).
  std::vector<Program> others{};
  /// By tile: 0: `body`, i: others[i - 1]. Empty: all have `body`.
  std::vector<std::uint32_t> of_tile{};

  std::size_t body_count() const { return 1 + others.size(); }
  /// Returns the body of this number, which is below body_count().
  const Program& body_of(std::size_t number) const { return number == 0 ? body : others[number - 1]; }
  Program& body_of(std::size_t number) { return number == 0 ? body : others[number - 1]; }
};

template <class Visit>
void visit_keys(Is<Tiles> auto& rule, Visit visit) {
  visit("list", rule.list);
  visit("count", rule.count);
  visit("take", rule.take);
  visit("per", rule.per);
  visit("cost", rule.cost);
}

/// Threads of a work-group, numbered from 0: `first` to `last`.
struct ThreadRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// `body`, executed by some threads of each work-group; the others skip it.
struct Only {
  std::vector<ThreadRange> threads;
  Program body;
};

/// One step, and the line in which a user wrote it; 0: none.
struct Step : std::variant<Compute, IssueSlots, Memory, WaitMemory, Fence, Slm, Atomic, Barrier, Signal, Wait,
                           GridBarrier, Trigger, WaitDependencies, LaunchChild, Tiles, Loop, Only> {
  using variant::variant;
  std::uint32_t line = 0;
};

/// Calls `visit(step)` for every step, also inside loops, divergent parts and bodies of tiles, in the order of writing.
/// If the bodies of tiles differ, visits only `body`. Thread-safe, as are all functions below, which read a program.
template <class Visit>
void for_each_step(const Program& program, Visit&& visit) {
  for (const Step& step : program) {
    visit(step);
    if (const auto* loop = std::get_if<Loop>(&step)) for_each_step(loop->body, visit);
    if (const auto* only = std::get_if<Only>(&step)) for_each_step(only->body, visit);
    if (const auto* tiles = std::get_if<Tiles>(&step)) for_each_step(tiles->body, visit);
  }
}

/// Returns the names of barriers of a work-group, in the order of writing; the nameless barrier is "".
std::vector<std::string> barrier_names(const Program& program);

/// Returns the first waits of each thread for this name, inside of a work-group, that pass at once: as many as its
/// signals say with `initially`. The n-th wait after these waits for the n-th signal.
std::uint64_t initially_passed(const Program& program, const std::string& name);

/// Returns the flags of launches that the program signals or waits for, each once, in the order of writing.
using FlagName = std::pair<std::string, std::int64_t>;
std::vector<FlagName> flag_names(const Program& program);

/// Returns the maximum number of asynchronous loads of this thread of a work-group that are outstanding, if none ends
/// before it is waited for; above kMaxOutstanding, any number above it.
std::uint64_t max_outstanding(const Program& program, std::uint32_t thread);

/// Returns true if all threads of a work-group wait for each other before each tile, as at a barrier.
inline bool has_tile_barrier(const Tiles& tiles) {
  return tiles.take == TileTake::on_demand && tiles.per == TileTaker::work_group;
}

/// Returns, by body, the number of tiles that have it.
std::vector<std::uint64_t> tiles_by_body(const Tiles& tiles);

/// Returns true if threads wait for each other somewhere.
bool has_barrier(const Program& program);

/// Returns true if both have the same steps in the same order, with the same names, kinds, threads, children and lists.
/// The counts of loops and the amounts of steps may differ.
bool have_same_steps(const Program& a, const Program& b);

/// Returns true if some `issue` step counts instructions by kind, or lines of L1.
bool has_instructions_by_kind(const Program& program);

/// Returns true if some `issue` step accesses L1.
bool has_l1_accesses(const Program& program);

/// Returns true if `holds` is true for some step of this kind.
template <class StepType, class Holds>
bool has_step_where(const Program& program, Holds holds) {
  bool is_among = false;
  for_each_step(program, [&](const Step& step) {
    const auto* typed = std::get_if<StepType>(&step);
    is_among = is_among || (typed != nullptr && holds(*typed));
  });
  return is_among;
}

/// Returns true if some step is of this kind.
template <class StepType>
bool has_step(const Program& program) {
  return has_step_where<StepType>(program, [](const StepType&) { return true; });
}

/// Returns true if some step accesses global memory atomically.
inline bool has_global_atomics(const Program& program) {
  return has_step_where<Atomic>(program, [](const Atomic& atomic) { return atomic.space == AtomicSpace::global; });
}

/// Returns true if some step is a store.
inline bool has_store(const Program& program) {
  return has_step_where<Memory>(program, [](const Memory& memory) { return is_store(memory); });
}

/// Returns true if some step names the sectors that it writes.
inline bool names_written_sectors(const Program& program) {
  return has_step_where<Memory>(program, [](const Memory& memory) { return memory.written.has_value(); });
}

/// Returns true if the program reads or writes global memory.
inline bool uses_memory(const Program& program) { return has_step<Memory>(program) || has_global_atomics(program); }

}  // namespace gdsim
