// The layout of the probe's tables: the only description of their columns. Writers check themselves against it, and
// `probe --layout` prints it for readers.
#pragma once

#include <cstdio>

namespace probe {

/// integer: decimal, may be negative. decimal: digits with a point. hex: 0x and digits. text: one word.
struct Column {
  const char* table;
  const char* name;
  const char* type;
  bool may_be_empty;
  const char* meaning;
};

constexpr Column kLayout[] = {
    {"launches", "run", "text", false, "which run of the plan"},
    {"launches", "repetition", "integer", false, "0 is the first of this run in this process: colder than the others"},
    {"launches", "launch", "integer", false, "which launch of the run, in the order in which the host made them"},
    {"launches", "stream", "integer", false, "launches of one stream follow each other"},
    {"launches", "priority", "text", false, "high or normal"},
    {"launches", "made_by", "text", false, "host, or graph: one graph holds all launches of the repetition"},
    {"launches", "body", "text", false, "equal, drawn (0.5 to 1.5 of the spin), memory, or empty"},
    {"launches", "blocks", "integer", false, "blocks of the grid"},
    {"launches", "threads", "integer", false, "threads of a block"},
    {"launches", "registers", "integer", true, "registers of a thread, as the runtime says"},
    {"launches", "shared_bytes", "integer", false, "dynamic shared memory of a block"},
    {"launches", "cluster", "integer", false, "blocks of a cluster; 1: no clusters"},
    {"launches", "blocks_per_core", "integer", false, "resident blocks of a core, as the runtime calculates"},
    {"launches", "spin_cycles", "integer", false, "how long a block of body `equal` spins"},
    {"launches", "first_start_ns", "integer", false, "timer: first start of a block, after timer_base_ns"},
    {"launches", "last_end_ns", "integer", false, "timer: last end of a block, after timer_base_ns"},
    {"launches", "gap_ns", "integer", true,
     "from the last end of the launch before it to its first start; not for the first"},
    {"launches", "host_call_ns", "integer", true, "host clock: how long the call that launches took; not in a graph"},
    {"launches", "host_total_ns", "integer", false, "host clock: first call of the repetition until all was done"},
    {"launches", "event_ns", "integer", true, "between events around the repetition, if it has one stream"},

    {"blocks", "run", "text", false, "which run of the plan"},
    {"blocks", "repetition", "integer", false, "as in launches"},
    {"blocks", "launch", "integer", false, "as in launches"},
    {"blocks", "block", "integer", false, "number of the block in the grid"},
    {"blocks", "core", "integer", false, "SM (%smid); on AMD the CU, numbered from its hardware register: with holes"},
    {"blocks", "group", "integer", true, "AMD: XCC x 8 + shader engine"},
    {"blocks", "hardware_id", "hex", false, "%smid; AMD: HW_ID or HW_ID1 as it was read"},
    {"blocks", "hardware_partition", "hex", false, "AMD: XCC_ID as it was read"},
    {"blocks", "start_ns", "integer", false, "timer, after timer_base_ns; advances in steps of timer_step_ns"},
    {"blocks", "end_ns", "integer", false, "timer, after timer_base_ns"},
    {"blocks", "start_clock", "integer", false, "the core's own clock, cycles; cores' clocks began at different times"},
    {"blocks", "end_clock", "integer", false, "the core's own clock, cycles"},
    {"blocks", "start_cycles", "integer", true, "start on the aligned clocks, after the first start of the launch"},
    {"blocks", "position", "integer", false, "0 for the block that started first, and so on"},
    {"blocks", "replaces", "integer", true,
     "block that ended on this core before: the n-th end makes room for the n-th start"},

    {"dispatch", "run", "text", false, "which run of the plan"},
    {"dispatch", "repetition", "integer", false, "as in launches"},
    {"dispatch", "launch", "integer", false, "as in launches"},
    {"dispatch", "figure", "text", false,
     "interval, recovery, residence, or launch (event time without the blocks' span)"},
    {"dispatch", "unit", "text", false, "cycles or ns"},
    {"dispatch", "count", "integer", false, "how many differences"},
    {"dispatch", "least", "decimal", false, "the least of them"},
    {"dispatch", "median", "decimal", false, "half are less"},
    {"dispatch", "mean", "decimal", false, "their mean"},
    {"dispatch", "most", "decimal", false, "the greatest"},
    {"dispatch", "deviation", "decimal", false, "their standard deviation"},

    {"clocks", "when", "text", false, "before or after the experiment"},
    {"clocks", "core", "integer", false, "as in blocks"},
    {"clocks", "sample", "integer", false, "samples of one number were taken at one instant of the timer"},
    {"clocks", "timer_ns", "integer", false, "timer when it had just advanced, after timer_base_ns"},
    {"clocks", "clock", "integer", false, "the core's clock right after"},

    {"latency", "bytes", "integer", false, "size of the ring of lines"},
    {"latency", "order", "text", false, "random, or pages: random within 2 MiB, so that the TLB misses less"},
    {"latency", "repetition", "integer", false, "0 is the first"},
    {"latency", "loads", "integer", false, "loads, each of which needs the one before it"},
    {"latency", "cycles_per_load", "decimal", true, "empty if the clock has too few bits for this long"},
    {"latency", "ns_per_load", "decimal", false, "by the timer"},

    {"bandwidth", "direction", "text", false, "read or write"},
    {"bandwidth", "threads", "integer", false, "threads of a block; each moves 8 bytes"},
    {"bandwidth", "blocks_per_core", "integer", false, "resident blocks of a core, limited by shared memory"},
    {"bandwidth", "bytes", "integer", false, "bytes moved"},
    {"bandwidth", "repetition", "integer", false, "0 is the first"},
    {"bandwidth", "event_ns", "integer", false, "between events around the launch"},
    {"bandwidth", "GBps", "decimal", false, "bytes / event_ns"},

    {"shared_memory", "warps", "integer", false, "warps of the only block"},
    {"shared_memory", "stride_words", "integer", false, "lane l reads word l x stride"},
    {"shared_memory", "repetition", "integer", false, "0 is the first"},
    {"shared_memory", "accesses", "integer", false, "loads of a warp, each of which needs the one before it"},
    {"shared_memory", "cycles_per_access", "decimal", false, "cycles of the block / accesses"},

    {"barrier", "warps", "integer", false, "warps of the only block"},
    {"barrier", "repetition", "integer", false, "0 is the first"},
    {"barrier", "barriers", "integer", false, "how many of them"},
    {"barrier", "cycles_per_barrier", "decimal", false, "cycles of the block / barriers"},

    {"atomics", "address", "text", false,
     "same_global, own_line (a line per warp), same_shared (a word per block) or float_global (additions)"},
    {"atomics", "blocks", "integer", false, "blocks of the grid"},
    {"atomics", "threads", "integer", false, "threads of a block"},
    {"atomics", "repetition", "integer", false, "0 is the first"},
    {"atomics", "operations", "integer", false, "of all threads"},
    {"atomics", "span_ns", "integer", false, "from the first start of a block to the last end"},
    {"atomics", "ns_per_operation", "decimal", false, "span_ns / operations"},

    {"arithmetic", "kind", "text", false,
     "fp32, fp64: multiplications and additions; int32: additions and logical operations; sfu: cosines"},
    {"arithmetic", "threads", "integer", false, "threads of the only block"},
    {"arithmetic", "repetition", "integer", false, "0 is the first"},
    {"arithmetic", "operations", "integer", false, "of all threads; a multiplication with an addition is one"},
    {"arithmetic", "cycles", "integer", false, "cycles of the block"},
    {"arithmetic", "operations_per_cycle", "decimal", false, "operations / cycles"},

    {"floods", "threads", "integer", false, "threads of a block, which does nothing"},
    {"floods", "blocks", "integer", false, "blocks of the grid"},
    {"floods", "repetition", "integer", false, "0 is the first"},
    {"floods", "event_ns", "integer", false, "between events around the launch"},

    {"pipes", "first", "text", false, "kind of arithmetic, as in arithmetic"},
    {"pipes", "second", "text", false, "another"},
    {"pipes", "threads", "integer", false, "threads of the only block"},
    {"pipes", "repetition", "integer", false, "0 is the first"},
    {"pipes", "first_cycles", "integer", false, "cycles of the block with the first kind alone"},
    {"pipes", "second_cycles", "integer", false, "with the second alone"},
    {"pipes", "both_cycles", "integer", false, "with both: the sum of the two if they share a pipe"},

    {"dependent", "kind", "text", false, "as in arithmetic"},
    {"dependent", "chains", "integer", false, "independent chains of results of a thread; one warp"},
    {"dependent", "repetition", "integer", false, "0 is the first"},
    {"dependent", "operations", "integer", false, "of one chain"},
    {"dependent", "cycles", "integer", false, "cycles of the block"},
    {"dependent", "cycles_per_operation", "decimal", false, "cycles / operations: of one chain, the latency"},

    {"clusters", "cluster", "integer", false, "blocks of a cluster"},
    {"clusters", "active_clusters", "integer", false,
     "clusters that can be resident at once, as the runtime calculates"},
    {"clusters", "portable", "integer", false, "1: without leave for sizes that are not portable"},

    {"groups", "core", "integer", false, "as in blocks"},
    {"groups", "group", "integer", false, "cores that were seen in one cluster share a group: at least one GPC's part"},

    {"skipped", "experiment", "text", false, "name of the experiment"},
    {"skipped", "run", "text", false, "name of the run, or `all`"},
    {"skipped", "reason", "text", false, "why; words joined by underscores"},
};

/// Keys of the comment lines above every table, `# KEY: VALUE`.
constexpr const char* kHeaderKeys[] = {"probe",
                                       "table",
                                       "experiment",
                                       "runtime",
                                       "device",
                                       "architecture",
                                       "cores",
                                       "threads_per_core",
                                       "shared_bytes_per_core",
                                       "l2_bytes",
                                       "core_clock_MHz_nominal",
                                       "core_clock_MHz_measured",
                                       "memory_clock_MHz_nominal",
                                       "timer_Hz",
                                       "timer_step_ns",
                                       "timer_base_ns",
                                       "clock_bits",
                                       "driver",
                                       "runtime_version",
                                       "compiled_by",
                                       "date_UTC"};

inline void print_layout() {
  std::printf("table,column,type,may_be_empty,meaning\n");
  for (const char* key : kHeaderKeys) std::printf("header,%s,text,0,\"comment line above every table\"\n", key);
  for (const Column& column : kLayout) {
    std::printf("%s,%s,%s,%d,\"%s\"\n", column.table, column.name, column.type, column.may_be_empty ? 1 : 0,
                column.meaning);
  }
}

}  // namespace probe
