#include <gdsim/infer/inference.hpp>
#include "infer/logs.hpp"
#include "measured/table.hpp"
#include "support/scenarios.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <random>

// Logs that gdsim wrote under known rules, and logs of real devices: which rules are found.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// 16 cores in 4 groups, each with room for 8 work-groups of 2 threads.
DeviceSpec grouped_device() {
  DeviceSpec device = small_device();
  device.id = "grouped";
  device.cores = 16;
  device.core_groups = {{"slice", 4, {}}};
  device.engines_per_core = 1;
  device.contexts_per_engine = 16;
  return device;
}

/// 600 work-groups of 2 threads whose times are drawn.
Workload many_groups() {
  Kernel kernel = kernel_of(600, 2, {compute(us(10))});
  Draw draw;
  draw.distribution = Distribution::uniform;
  draw.cv = Decimal{2, -1};
  draw.seed = 7;
  kernel.variation.draw = draw;
  return workload_of({kernel});
}

std::string log_under(const DispatchRules& rules) {
  return log_of(run_fully(grouped_device(), rules, many_groups()), 2);
}

DispatchRules rules_of(const char* placement) {
  DispatchRules rules = grouped_device().dispatch;
  rules.placement = placement;
  return rules;
}

DeviceSpec model(const std::string& name) { return read_device_model(name, {source_path("models")}); }

/// The blocks of a GPU's launches, as they were measured.
std::string measured_blocks(const std::string& gpu) {
  std::string text = "launch,blocks,threads,registers,shared_bytes,block,sm\n";
  std::size_t number = 0;
  for (const auto& row : measured("nvidia_placements.csv")) {
    if (row[0] != gpu) continue;
    const auto sms = numbers_of(row[2]);
    for (std::size_t block = 0; block < sms.size(); ++block)
      text += std::to_string(number) + "," + row[1] + ",32,32,0," + std::to_string(block) + "," +
              std::to_string(sms[block]) + "\n";
    ++number;
  }
  return text;
}

/// The same rows with their cores dealt anew.
std::string shuffled(const std::string& text, std::size_t core_column, std::uint64_t seed) {
  std::vector<std::vector<std::string>> rows = all_cells_of(text);
  std::vector<std::string> cores;
  for (std::size_t i = 1; i < rows.size(); ++i) cores.push_back(rows[i][core_column]);
  std::mt19937_64 random(seed);
  for (std::size_t i = cores.size(); i > 1; --i) std::swap(cores[i - 1], cores[random() % i]);
  std::string shuffled;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) rows[i][core_column] = cores[i - 1];
    for (std::size_t j = 0; j < rows[i].size(); ++j) shuffled += (j > 0 ? "," : "") + rows[i][j];
    shuffled += "\n";
  }
  return shuffled;
}

}  // namespace

TEST_CASE("a log of a run under each placement gives that placement back, or says that others do the same") {
  for (const char* placement : {"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"}) {
    const Inferred found = infer(log_under(rules_of(placement)), grouped_device());
    INFO(placement << found.problems << "\n" << found.inference.sentence);
    CHECK(found.inference.verdict != Verdict::none);
    CHECK(found.has(std::string("{placement: ") + placement));
    CHECK(found.inference.candidates.front().launches_exact == 1);
  }
}

TEST_CASE("each part of a log has its verdict: whether one rule, several or none explain it") {
  for (const char* placement : {"fill_first", "round_robin", "least_loaded"}) {
    const Inferred found = infer(log_under(rules_of(placement)), grouped_device());
    INFO(placement << found.problems);
    REQUIRE(!found.inference.parts.empty());
    CHECK(!found.inference.parts.front().rules.empty());
    for (const PartVerdict& part : found.inference.parts) {
      INFO(part.sentence);
      CHECK(part.verdict == (part.rules.empty()       ? Verdict::none
                             : part.rules.size() == 1 ? Verdict::one
                                                      : Verdict::several));
      CHECK((part.sentence.find("none fits") != std::string::npos) == (part.rules.empty() && part.decisions > 0));
    }
  }
}

TEST_CASE("orders of ties, batches, dispatchers and partitions of a run are found from its log") {
  struct Truth {
    const char* what;
    DispatchRules rules;
  };
  const std::vector<Truth> truths{
      {"tie_order: evens_then_odds", with(rules_of("most_room"),
                                          [](DispatchRules& rules) {
                                            rules.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {}};
                                          })},
      {"batch: {work_groups: 2", with(rules_of("round_robin"),
                                      [](DispatchRules& rules) {
                                        rules.batch = BatchRule{2, {2, 5}, {2, 3}};
                                      })},
      {"dispatchers: slice", with(rules_of("fill_first"),
                                  [](DispatchRules& rules) {
                                    rules.interval = DispatchInterval{{Decimal::whole(2'000)}, {}, "slice"};
                                  })},
      {"partition: {across: slice, share: contiguous}", with(rules_of("round_robin"), [](DispatchRules& rules) {
         rules.partition = PartitionRule{"slice", PartitionShare::contiguous};
       })}};
  for (const Truth& truth : truths) {
    const Inferred found = infer(log_under(truth.rules), grouped_device());
    INFO(truth.what << found.problems << "\n" << found.inference.sentence);
    CHECK(found.inference.verdict != Verdict::none);
    CHECK(found.has(truth.what));
    for (const std::string& rules : found.fitting()) CHECK_THAT(rules, Contains(truth.what));
  }
}

TEST_CASE("the rules that fit can be pasted behind `dispatch:`, and a run under them writes the log again") {
  std::vector<DispatchRules> truths;
  for (const char* placement : {"fill_first", "round_robin", "most_room", "group_round_robin"})
    truths.push_back(rules_of(placement));
  truths.push_back(with(rules_of("least_loaded"), [](DispatchRules& rules) {
    rules.interval = DispatchInterval{{Decimal::whole(2'500)}, {}, "slice"};
    rules.recovery = StepTime{Decimal::whole(70'000)};
  }));
  truths.push_back(with(rules_of("round_robin"), [](DispatchRules& rules) {
    rules.partition = PartitionRule{"slice", PartitionShare::cyclic};
  }));
  for (const DispatchRules& truth : truths) {
    const std::string log = log_under(truth);
    const Inferred found = infer(log, grouped_device());
    INFO(found.problems << "\n" << found.inference.sentence);
    REQUIRE_FALSE(found.fitting().empty());
    for (const std::string& rules : found.fitting()) {
      INFO(rules);
      const ReadText read = read_text(
          "scenario: s\ndevice: {base: tiny, cores: 16, core_groups: [{name: slice, count: 4}]}\ndispatch: " + rules +
          "\nkernels: {k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}}\nlaunches: [{kernel: k}]\n");
      INFO(read.problems);
      REQUIRE(read.problems.empty());
      DispatchRules pasted = grouped_device().dispatch;
      pasted.placement = read.scenario().dispatch.placement;
      pasted.interval = read.scenario().dispatch.interval;
      pasted.recovery = read.scenario().dispatch.recovery;
      pasted.batch = read.scenario().dispatch.batch;
      pasted.tie_order = read.scenario().dispatch.tie_order;
      pasted.partition = read.scenario().dispatch.partition;
      CHECK(log_under(pasted) == log);
    }
  }
}

TEST_CASE("work-groups that were admitted in part are seen in the log") {
  const DeviceSpec device = with(tiger_lake(), [](DeviceSpec& d) {
    d.cores = 48;
    d.dispatch.ports = std::nullopt;
  });
  Kernel kernel = kernel_of(600, 40, {barrier(), compute(us(10))});
  Draw draw;
  draw.distribution = Distribution::uniform;
  draw.cv = Decimal{2, -1};
  kernel.variation.draw = draw;
  const Workload workload = workload_of({kernel});
  const Inferred partial = infer(log_of(run_fully(device, workload), 40), device);
  INFO(partial.problems << "\n" << partial.inference.sentence);
  CHECK(partial.has("{placement: fill_first, admission: partial"));
  DispatchRules rules = device.dispatch;
  rules.admission = Admission::whole;
  const Inferred whole = infer(log_of(run_fully(device, rules, workload), 40), device);
  INFO(whole.problems << "\n" << whole.inference.sentence);
  CHECK(whole.has("{placement: fill_first, admission: whole"));
  for (const std::string& fitting : whole.fitting()) CHECK_THAT(fitting, Contains("admission: whole"));
}

TEST_CASE("interval and recovery of a run are estimated from its log") {
  const DispatchRules rules = with(rules_of("round_robin"), [](DispatchRules& r) {
    r.interval = DispatchInterval{{Decimal::whole(3'000)}, {}, "device"};
    r.recovery = StepTime{Decimal::whole(70'000)};
  });
  const Inferred found = infer(log_under(rules), grouped_device());
  INFO(found.problems << "\n" << inference_text(found.inference));
  REQUIRE(found.inference.times.size() == 2);
  CHECK(found.inference.times[0].name == "interval");
  CHECK(found.inference.times[0].value == "3 ns");
  CHECK(found.inference.times[1].name == "recovery");
  CHECK(found.inference.times[1].high == "70 ns");
}

TEST_CASE("the shortest gaps say how much shorter a recovery may be: 19 times what the second is longer, or all") {
  const auto low = [](const std::vector<std::int64_t>& gaps) {
    const TimeEstimate found = recovery_estimate(gaps, LogTime::picoseconds);
    CHECK(found.high == "1 ns");
    return found.low;
  };
  CHECK(low({1'000, 1'020, 1'500}) == "620 ps");
  CHECK(low({1'000, 1'500}) == "0 s");
  CHECK(low({1'000}) == "0 s");
}

TEST_CASE("a log whose cores are shuffled fits no rule") {
  const std::string log = log_under(rules_of("round_robin"));
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Inferred found = infer(shuffled(log, 1, seed), grouped_device());
    INFO(found.problems << "\n" << found.inference.sentence);
    CHECK(found.inference.verdict == Verdict::none);
    CHECK(found.fitting().empty());
  }
}

TEST_CASE("V100: evens then odds fits without batches, and most_room and least_loaded are not distinguished",
          "[figures]") {
  const Inferred found = infer(measured_blocks("V100"), model("v100-sxm2"));
  INFO(found.problems << "\n" << found.inference.sentence);
  CHECK(found.inference.verdict == Verdict::several);
  CHECK(found.fitting() == std::vector<std::string>{"{placement: least_loaded, tie_order: evens_then_odds}",
                                                    "{placement: most_room, tie_order: evens_then_odds}"});
  CHECK(found.inference.candidates.front().launches_exact == 21);
  CHECK(found.inference.candidates.front().launches == 21);
  CHECK(infer(shuffled(measured_blocks("V100"), 6, 1), model("v100-sxm2")).inference.verdict == Verdict::none);
}

TEST_CASE("V100: the best 10,000 combinations that explain the log are compared, and none after them", "[figures]") {
  const DeviceSpec device = model("v100-sxm2");
  const SourceText source("log.csv", measured_blocks("V100"));
  Diagnostics problems;
  const PreparedLog prepared = prepare_log(source, read_placement_log(source, device.id, problems), device, problems);
  REQUIRE(problems.empty());
  RuleSpace space = make_rule_space(prepared, built_in_placements());
  decide_parts(space, {1}, nullptr);
  const std::vector<RuleScore> fit = fitting(space, score_rules(space, {1}));
  REQUIRE(fit.size() > 1);
  std::vector<RuleScore> scores(9'999, fit[0]);
  scores.push_back(fit[1]);
  CHECK(fitting(space, scores).size() == 2);
  scores.insert(scores.begin(), 2, fit[0]);
  CHECK(fitting(space, scores).size() == 1);
}

TEST_CASE("A100: evens then odds in pairs, with the thresholds that the model has, explains 18 of 21 launches",
          "[figures]") {
  const std::string pairs =
      "batch: {work_groups: 2, grid_at_least: {per_core: 2, plus: 5}, left_at_least: {per_core: 2, plus: 3}}}";
  const Inferred found = infer(measured_blocks("A100"), model("a100-80gb"), {2});
  INFO(found.problems << "\n" << found.inference.sentence);
  CHECK(found.fitting() == std::vector<std::string>{"{placement: least_loaded, tie_order: evens_then_odds, " + pairs,
                                                    "{placement: most_room, tie_order: evens_then_odds, " + pairs});
  CHECK(found.inference.candidates.front().launches_exact == 18);
}

TEST_CASE("the rules of the model have no influence on what is inferred", "[figures]") {
  DeviceSpec other = model("v100-sxm2");
  other.dispatch.placement = "fill_first";
  other.dispatch.kernel_choice = KernelChoice::round_robin;
  const Inferred found = infer(measured_blocks("V100"), other);
  CHECK(found.fitting() == infer(measured_blocks("V100"), model("v100-sxm2")).fitting());
}

TEST_CASE("Accel-Sim: one dispatcher for each core group, one work-group per cycle") {
  for (const auto& row : measured("accel_sim_work_groups.csv")) {
    std::string log = "work_group,core,start,end\n";
    const auto cores = numbers_of(row[1]);
    const auto starts = numbers_of(row[2]);
    const auto lengths = numbers_of(row[3]);
    for (std::size_t i = 0; i < cores.size(); ++i)
      log += std::to_string(i) + "," + std::to_string(cores[i]) + "," + std::to_string(starts[i]) + "," +
             std::to_string(starts[i] + lengths[i]) + "\n";
    const Inferred found = infer(log, model("v100-sxm2"));
    INFO(row[0] << found.problems << "\n" << found.inference.sentence);
    const std::string level =
        row[0] == "w1_cl2" ? "core_group}} with core_groups: [{name: group, count: 40}]" : "core}}";
    CHECK(found.has("{placement: round_robin, interval: {per_work_group: 1 cycle, dispatchers: " + level));
    REQUIRE_FALSE(found.inference.times.empty());
    CHECK(found.inference.times.front().value == "1 cycle");
  }
}

TEST_CASE("a timer that is too coarse to tell placements apart does not hide the order of ties") {
  const DispatchRules rules = with(rules_of("most_room"), [](DispatchRules& r) {
    r.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {}};
    r.interval = DispatchInterval{{Decimal::whole(1'000)}, {}, "device"};
  });
  FullRun run = run_fully(grouped_device(), rules, many_groups());
  std::string log = "work_group,core,start_ns,end_ns,threads,threads_first_placed\n";
  std::uint64_t number = 0;
  for (const WorkGroupRecord& one : run.work_groups.records_of(launch(0)))
    log += std::to_string(number++) + "," + std::to_string(index_of(one.core)) + "," +
           std::to_string(one.first_placed.count / 5'000 * 5) + "," +
           std::to_string(one.ended.value().count / 5'000 * 5) + ",2,2\n";
  const Inferred found = infer(log, grouped_device());
  INFO(found.problems << "\n" << found.inference.sentence);
  CHECK(found.has("tie_order: evens_then_odds"));
  for (const std::string& fitting : found.fitting()) CHECK_THAT(fitting, Contains("evens_then_odds"));
}

TEST_CASE("two launches that the log does not describe hold as many on a core as each shows by itself") {
  // 8 cores: first 64 work-groups, 8 to a core, then 16 larger ones, 2 to a core, round robin.
  std::string log = "launch,work_group,core,start,end\n";
  for (int i = 0; i < 64; ++i)
    log += "small," + std::to_string(i) + "," + std::to_string(i % 8) + ",0," + std::to_string(10 + i / 8) + "\n";
  for (int i = 0; i < 160; ++i)
    log += "large," + std::to_string(i) + "," + std::to_string(i % 8) + "," + std::to_string(100 + i / 16 * 10) + "," +
           std::to_string(110 + i / 16 * 10) + "\n";
  const Inferred found = infer(log, with(grouped_device(), [](DeviceSpec& d) {
                                 d.cores = 8;
                                 d.core_groups.clear();
                               }));
  INFO(found.problems << "\n" << found.inference.sentence);
  CHECK(found.has("{placement: round_robin}"));
  CHECK(found.inference.candidates.front().launches_exact == 2);
}

TEST_CASE("where rows are in the order of starts, those of one instant were placed in this order") {
  // Two launches in turn, round robin over 16 cores, one work-group each in a cycle.
  std::string log = "launch,work_group,core,start,end,threads,threads_first_placed\n";
  for (int i = 0; i < 120; ++i)
    log += std::string(i % 2 == 0 ? "a," : "b,") + std::to_string(i / 2) + "," + std::to_string(i % 16) + "," +
           std::to_string(i / 4) + ",1000,2,2\n";
  const Inferred found = infer(log, grouped_device());
  INFO(found.problems << "\n" << found.inference.sentence);
  CHECK(found.has("{placement: round_robin"));
  CHECK(found.inference.candidates.front().launches_exact == 2);
}

TEST_CASE("where no decision is open, none fits") {
  DeviceSpec one = one_core();
  const Inferred found = infer("work_group,core,threads\n0,0,8\n1,0,8\n", one);
  CHECK(found.inference.verdict == Verdict::none);
  CHECK_THAT(found.inference.sentence, Contains("says nothing about rules"));
}

TEST_CASE("what is inferred does not depend on the number of jobs") {
  const std::string log = log_under(rules_of("least_loaded"));
  CHECK(inference_text(infer(log, grouped_device(), {1}).inference) ==
        inference_text(infer(log, grouped_device(), {3}).inference));
}

TEST_CASE("a core that is taken again at once had no room before: such a log does not contradict instant dispatch") {
  // One slot on each core: the next work-group comes at the instant at which the one before ends.
  const DeviceSpec device = with(grouped_device(), [](DeviceSpec& d) { d.contexts_per_engine = 2; });
  std::string log = "work_group,core,start,end,threads,threads_first_placed\n";
  for (int i = 0; i < 160; ++i)
    log += std::to_string(i) + "," + std::to_string(i % 16) + "," + std::to_string(i / 16 * 10) + "," +
           std::to_string(i / 16 * 10 + 10) + ",2,2\n";
  const Inferred found = infer(log, device);
  INFO(found.problems << "\n" << found.inference.sentence);
  CHECK(found.has("{placement: fill_first"));
}
