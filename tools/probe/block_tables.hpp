// Rows of launches, blocks and dispatch from the results of block_runs.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "block_runs.hpp"
#include "derive.hpp"
#include "session.hpp"

namespace probe {

struct BlockTables {
  Table launches{"launches"}, blocks{"blocks"}, dispatch{"dispatch"}, clocks{"clocks"};
};

inline unsigned registers_of(const LaunchPlan& one) {
  if (one.body == Body::memory) return registers_of(memory_kernel);
  return with_spin_kernel(one.many_registers, [](auto kernel) { return registers_of(kernel); });
}

inline void add_launch_row(const Session& session, Table& table, const RunPlan& run, std::size_t repetition,
                           const Repetition& done, std::size_t i) {
  const LaunchPlan& one = run.launches[i];
  const unsigned registers = registers_of(one);
  const LaunchLog& log = done.launches[i];
  const std::int64_t first = session.after_base(log.first_start_ticks());
  std::string gap;
  if (i > 0) gap = text(first - session.after_base(done.launches[i - 1].last_end_ticks()));
  const double spin = one.body == Body::equal || one.body == Body::drawn ? one.spin_us : 0;
  table.row({run.name,
             std::to_string(repetition),
             std::to_string(i),
             std::to_string(one.stream),
             one.high_priority ? "high" : "normal",
             run.graph ? "graph" : "host",
             body_name(one.body),
             text(one.blocks),
             text(one.threads),
             registers > 0 ? text(registers) : "",
             text(one.shared_bytes),
             text(one.cluster),
             text(one.blocks_per_core),
             text(static_cast<std::uint64_t>(spin * session.device.shape.cycles_per_us)),
             text(first),
             text(session.after_base(log.last_end_ticks())),
             gap,
             i < done.host_call_ns.size() ? text(done.host_call_ns[i]) : "",
             text(done.host_total_ns),
             done.event_ns >= 0 ? text(done.event_ns) : ""});
}

inline void add_block_rows(const Session& session, Table& table, const std::string& run, std::size_t repetition,
                           std::size_t launch, const LaunchLog& log) {
  for (std::size_t i = 0; i < log.blocks.size(); ++i) {
    const BlockRecord& one = log.blocks[i];
    table.row({run, std::to_string(repetition), std::to_string(launch), std::to_string(i), text(one.core),
               kHasGroups ? text(one.group) : "", hex(one.hardware_id), hex(one.hardware_partition),
               text(session.after_base(one.start_ticks)), text(session.after_base(one.end_ticks)),
               text(one.start_clock), text(one.end_clock),
               log.start_cycles.empty() ? "" : std::to_string(static_cast<std::int64_t>(log.start_cycles[i] + 0.5)),
               std::to_string(log.position[i]), log.replaces[i] ? std::to_string(*log.replaces[i]) : ""});
  }
}

/// Adds the cost of a single launch: its event time minus the span of its blocks.
inline void add_launch_cost(const Session& session, Table& table, const std::vector<std::string>& where,
                            const Repetition& done) {
  if (done.event_ns < 0 || done.launches.size() != 1) return;
  const LaunchLog& log = done.launches.front();
  const auto span =
      static_cast<std::int64_t>(session.device.nanoseconds(log.last_end_ticks() - log.first_start_ticks()));
  add_figure(table, where, {"launch", "ns", {static_cast<double>(done.event_ns - span)}});
}

/// Is called with each launch's log after the derivation.
using LogVisitor = std::function<void(const RunPlan&, const LaunchLog&)>;

/// Executes all runs of an experiment between two samplings of the clocks, and writes its four tables.
inline void measure_blocks(Session& session, const std::vector<RunPlan>& plan, const LogVisitor& visit = {}) {
  BlockTables tables;
  const std::vector<ClockSample> before = sample_clocks(session.device);
  std::uint64_t base = ~0ULL;
  for (const ClockSample& one : before) base = std::min(base, one.ticks);
  session.timer_base_ns = session.device.nanoseconds(base);
  std::vector<const RunPlan*> done_runs;
  std::vector<std::vector<Repetition>> done;
  for (const RunPlan& run : plan) {
    if (!run.skip.empty()) {
      session.skip(run.name, run.skip);
      continue;
    }
    try {
      done.push_back(do_run(session.device, run));
      done_runs.push_back(&run);
    } catch (const GpuError& error) {
      session.fail(run.name, error.what());
    }
  }
  const std::vector<ClockSample> after = sample_clocks(session.device);
  add_clock_rows(session, tables.clocks, "before", before);
  add_clock_rows(session, tables.clocks, "after", after);
  const Alignment alignment = align(session.device, before, after);
  if (alignment.offsets.empty()) {
    session.skip("alignment", session.device.clock_bits < 64
                                  ? "the clock has " + std::to_string(session.device.clock_bits) + " bits"
                                  : "clocks drifted by " + decimal(alignment.drift) + " cycles");
  }
  for (std::size_t r = 0; r < done.size(); ++r) {
    const RunPlan& run = *done_runs[r];
    for (std::size_t repetition = 0; repetition < done[r].size(); ++repetition) {
      Repetition& one = done[r][repetition];
      for (std::size_t i = 0; i < one.launches.size(); ++i) {
        LaunchLog& log = one.launches[i];
        align_starts(log, alignment);
        derive_order(log, session.device.clock_bits == 64);
        if (visit) visit(run, log);
        add_launch_row(session, tables.launches, run, repetition, one, i);
        add_block_rows(session, tables.blocks, run.name, repetition, i, log);
        const std::vector<std::string> where{run.name, std::to_string(repetition), std::to_string(i)};
        for (const Figure& figure : figures(session.device, log)) add_figure(tables.dispatch, where, figure);
        if (i == 0) add_launch_cost(session, tables.dispatch, where, one);
      }
    }
  }
  for (const Table* table : {&tables.launches, &tables.blocks, &tables.dispatch, &tables.clocks}) session.write(*table);
}

}  // namespace probe
