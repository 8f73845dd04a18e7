#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("keys of other ecosystems are answered with gdsim's key and a line to paste") {
  const auto problems = [](const std::string& kernel, const std::string& launch = "kernel: k",
                           const std::string& device = "tiny") {
    return read_text("scenario: S\ndevice: " + device + "\nqueues: {q: {}}\nkernels:\n  k: {" + kernel +
                     ", sub_group: 8, program: [compute: 1 us]}\nlaunches: [{" + launch + "}]\n")
        .problems;
  };
  const std::string cuda = problems("grid: 512, block: 256, shared: 8 KiB, regs: 72");
  CHECK_THAT(cuda, Catch::Contains("unknown key 'grid'; gdsim's key is `global`, work-items of the launch: the grid "
                                   "times the block: `global: 131072`; known: global, local"));
  CHECK_THAT(cuda,
             Catch::Contains("unknown key 'block'; gdsim's key is `local`, work-items of a block: `local: 256`;"));
  CHECK_THAT(cuda, Catch::Contains("unknown key 'shared'; gdsim's key is `slm`") && Catch::Contains("`slm: 8 KiB`;"));
  CHECK_THAT(cuda,
             Catch::Contains("unknown key 'regs'; gdsim's key is `registers`") && Catch::Contains("`registers: 72`;"));
  const std::string sycl = problems("global_range: 512, local_range: 256, local_memory: 1024, grf: 256, simd: 16",
                                    "kernel: k", "{base: tiny, large_grf: {contexts_per_thread: 2}}");
  CHECK_THAT(sycl, Catch::Contains("gdsim's key is `global`, work-items of the launch: `global: 512`;"));
  CHECK_THAT(sycl, Catch::Contains("gdsim's key is `local`, work-items of a work-group: `local: 256`;"));
  CHECK_THAT(sycl, Catch::Contains("gdsim's key is `slm`") && Catch::Contains("`slm: 1024 B`;"));
  CHECK_THAT(sycl, Catch::Contains("gdsim's key is `large_grf`") && Catch::Contains("`large_grf: true`;"));
  CHECK_THAT(sycl, Catch::Contains("gdsim's key is `sub_group`") && Catch::Contains("`sub_group: 16`;"));
  const std::string without = problems("global: 8, local: 8, grf: 256");
  CHECK_THAT(without, Catch::Contains("this device does not have 256 registers for each thread instead of 128"));
  CHECK_THAT(without, !Catch::Contains("`large_grf: true`"));
  CHECK_THAT(problems("global: 8, local: 8, smem: 1 KiB"), Catch::Contains("`slm: 1 KiB`;"));
  CHECK_THAT(problems("global: 8, local: 8, waves: 4"),
             Catch::Contains("unknown key 'waves'; gdsim's key is `local`, work-items of a work-group"));
  CHECK_THAT(problems("global: 8, local: 8", "kernel: k, stream: q"),
             Catch::Contains("unknown key 'stream'; gdsim's key is `queue`") && Catch::Contains(": `queue: q`;"));
}

TEST_CASE("sizes written as 16x16 or 16,16 are answered with the list to paste") {
  const auto problems = [](const std::string& sizes) {
    return read_text("scenario: S\ndevice: tiny\nkernels: {k: {" + sizes +
                     ", sub_group: 8, program: [compute: 1 us]}}\nlaunches: [kernel: k]\n")
        .problems;
  };
  CHECK_THAT(problems("global_range: 64x32, local_range: \"(16, 4)\""),
             Catch::Contains("`global: [64, 32]`;") && Catch::Contains("`local: [16, 4]`;"));
  const std::string own = problems("global: 64x32, local: \"16,4\"");
  CHECK_THAT(own, Catch::Contains("global: is '64x32'; write a list: `global: [64, 32]`"));
  CHECK_THAT(own, Catch::Contains("local: is '16,4'; write a list: `local: [16, 4]`"));
  for (const std::string size : {"16x", "0x100", "'1,024'", "1 6x16", "1x2x3x4", "')16,16('"})
    CHECK_THAT(problems("global: 64, local: " + size), Catch::Contains("local: ") && !Catch::Contains("write a list"));
}

TEST_CASE("a CUDA block's first size is x, so that it comes last in the list to paste") {
  CHECK_THAT(read_text("scenario: S\ndevice: tiny\nkernels: {k: {global: [64, 64], blockdim: 16x8, sub_group: 8, "
                       "program: [compute: 1 us]}}\nlaunches: [kernel: k]\n")
                 .problems,
             Catch::Contains("`local: [8, 16]`"));
}

TEST_CASE("a scenario is read into values") {
  const ReadText read = read_text(
      "scenario: Everything\n"
      "device: tiny\n"
      "dispatch: {placement: least_loaded, ports: unlimited}\n"
      "min_phase: 2 %\n"
      "kernels:\n"
      "  first:\n"
      "    global: [2, 24]\n"
      "    local: [1, 8]\n"
      "    sub_group: 4\n"
      "    slm: 1.5 KiB\n"
      "    barriers: 2\n"
      "    program: [barrier, compute: 1500 cycles, compute: 0.5 us]\n"
      "    variation: {work_groups: {5: 2, 0: 0.25}}\n"
      "  second: {global: 10, local: 4, non_uniform: true, sub_group: 1, program: [compute: 1 ns]}\n"
      "launches:\n"
      "  - {kernel: first, at: 3 us}\n"
      "  - {kernel: second, name: other, after: [first]}\n"
      "  - {kernel: first, after: [first, other]}\n");
  REQUIRE(read.problems.empty());
  const Scenario& scenario = read.scenario();
  CHECK(scenario.title == "Everything");
  CHECK(scenario.device.id == "tiny");
  CHECK(scenario.dispatch.placement == "least_loaded");
  CHECK(scenario.dispatch.admission == Admission::partial);  // the device's own
  CHECK_FALSE(scenario.dispatch.ports.has_value());
  CHECK(is_within({scenario.min_phase.share_of_run.numerator * 100, scenario.min_phase.share_of_run.denominator},
                  Decimal::whole(2), Decimal{}));
  const Kernel& first = scenario.workload.kernels[0];
  CHECK(first.range.global == Extent{1, 2, 24});
  CHECK(first.range.group_count() == 6);
  CHECK(first.threads_per_work_group() == 2);
  CHECK(first.needs.slm.total == Bytes{1536});
  CHECK(first.needs.barriers == 2U);
  CHECK(first.program.size() == 3);
  REQUIRE(first.variation.factors.size() == 2);
  CHECK(first.variation.factors[0].work_group == group(0));
  CHECK(scenario.workload.kernels[1].edge_groups == EdgeGroups::smaller);
  const auto& launches = scenario.workload.launches;
  CHECK(launches[0].at == at(us(3)));
  CHECK(launches[1].name == "other");
  CHECK(launches[2].name == "first#2");
  CHECK(launches[2].after == std::vector<LaunchId>{launch(0), launch(1)});
}

TEST_CASE("a value is replaced before the scenario is read") {
  ReadOptions options;
  options.overrides = {{"kernels.k.global", "128"},
                       {"device.cores", "12"},
                       {"launches.0.at", "5 us"},
                       {"dispatch.placement", "most_room"},
                       {"kernels.k.program", "[barrier, compute: 2 us]"}};
  const ReadText read = read_text(plain_scenario(), options);
  REQUIRE(read.problems.empty());
  CHECK(read.scenario().workload.kernels[0].range.group_count() == 16);
  CHECK(read.scenario().workload.kernels[0].program.size() == 2);
  CHECK(read.scenario().device.cores == 12);
  CHECK(read.scenario().device.contexts_per_core() == 8);
  CHECK(read.scenario().workload.launches[0].at == at(us(5)));
  CHECK(read.scenario().dispatch.placement == "most_room");
}

TEST_CASE("a replaced value that is wrong is reported as such") {
  ReadOptions options;
  options.overrides = {{"kernels.k.global", "many"}, {"kernels.k.locl", "8"}, {"launches.7.at", "1 us"}};
  const std::string problems = read_text(plain_scenario(), options).problems;
  CHECK(problems.find("global: 'many' is not a number") != std::string::npos);
  CHECK(problems.find("unknown key 'locl'; did you mean 'local'?") != std::string::npos);
  CHECK(problems.find("there is no entry 7 in a list of 1") != std::string::npos);
}

TEST_CASE("cases set values and replace what is expected") {
  const ReadText read =
      read_text(plain_scenario("expect:\n"
                               "  - outcome: completed\n"
                               "cases:\n"
                               "  - {name: small, set: {kernels.k.global: 8}}\n"
                               "  - name: large\n"
                               "    set: {kernels.k.global: 800, device.cores: 3}\n"
                               "    expect:\n"
                               "      - duration: 1 us\n"
                               "      - phase_threads: [24]\n"));
  REQUIRE(read.problems.empty());
  REQUIRE(read.cases.size() == 2);
  CHECK(read.cases[0].name == "small");
  CHECK(read.cases[0].scenario.expectations.size() == 1);
  CHECK(read.cases[0].scenario.workload.kernels[0].range.group_count() == 1);
  CHECK(read.cases[1].scenario.expectations.size() == 2);
  CHECK(read.cases[1].scenario.device.cores == 3);
  CHECK(read.cases[1].values_set[1] == std::pair<std::string, std::string>{"device.cores", "3"});
}

TEST_CASE("what is set from outside wins over what a case sets") {
  ReadOptions options;
  options.overrides = {{"kernels.k.global", "80"}};
  const ReadText read = read_text(plain_scenario("cases:\n  - {name: a, set: {kernels.k.global: 8}}\n"), options);
  CHECK(read.scenario().workload.kernels[0].range.group_count() == 10);
}

TEST_CASE("one case can be picked by its name") {
  ReadOptions options;
  options.only_case = "b";
  const std::string cases = "cases:\n  - {name: a}\n  - {name: b}\n";
  CHECK(read_text(plain_scenario(cases), options).cases.at(0).name == "b");
  options.only_case = "c";
  CHECK(read_text(plain_scenario(cases), options).problems.find("there is no case 'c'") != std::string::npos);
  CHECK(read_text(plain_scenario(), options).problems.find("there is no case 'c'") != std::string::npos);
}

TEST_CASE("a problem that all cases share is reported once") {
  const ReadText read =
      read_text("scenario: x\ndevice: nowhere\nkernels: {}\nlaunches: []\ncases:\n  - name: a\n  - name: b\n");
  CHECK(read.problems.find("unknown model 'nowhere'") == read.problems.rfind("unknown model 'nowhere'"));
}

TEST_CASE("a model's name that is too long for a file is refused where it stands") {
  const std::string name(300, 'a');
  const auto problems = [](const std::string& device) {
    return read_text("scenario: x\ndevice: " + device + "\nkernels: {}\nlaunches: []\n").problems;
  };
  CHECK_THAT(problems(name), Catch::StartsWith("2:9: device: unknown model 'aaa"));
  CHECK_THAT(problems("{base: " + name + ".yaml}"), Catch::StartsWith("2:16: base: there is no file "));
}

TEST_CASE("all problems of a file come in one go, in the order of its lines") {
  const ReadText read = read_text(
      "scenario: x\n"
      "device: {base: tiny, cores: 0}\n"
      "kernels:\n"
      "  k: {global: 64, local: eight, sub_group: 8, program: [compute: 1]}\n"
      "  l: {global: 65, local: 8, sub_group: 7, program: [compute: 1 us], colour: red}\n"
      "launches:\n"
      "  - {kernel: m}\n");
  CHECK(read.problems.find("2:29") < read.problems.find("4:26"));
  CHECK(read.problems.find("4:26") < read.problems.find("4:66"));
  CHECK(read.problems.find("unknown key 'colour'") != std::string::npos);
  CHECK(read.problems.find("there is no kernel 'm'; known: k, l") != std::string::npos);
}

TEST_CASE("a kernel is checked against the device even if another part of the file is wrong") {
  const ReadText read = read_text(
      "scenario: x\ndevice: tiny\nkernels:\n"
      "  k: {global: 65, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "launches:\n  - {kernel: k, att: 1 us}\n");
  CHECK(read.problems.find("65 is not a multiple of local 8") != std::string::npos);
  CHECK(read.problems.find("unknown key 'att'; did you mean 'at'?") != std::string::npos);
}

TEST_CASE("a refusal by the device is kept if an error is expected, and other problems are reported as always") {
  const std::string expect = "expect:\n  - error: slm_too_large\n";
  ReadOptions too_large;
  too_large.overrides = {{"kernels.k.slm", "5 KiB"}};
  const ReadText refused = read_text(plain_scenario(expect), too_large);
  INFO(refused.problems);
  REQUIRE(refused.problems.empty());
  REQUIRE(refused.scenario().refusals.size() == 1);
  CHECK(refused.scenario().refusals[0].code == "slm_too_large");
  too_large.overrides.push_back({"kernels.k.program", "[barrier]"});
  CHECK_FALSE(read_text(plain_scenario(expect), too_large).problems.empty());
  CHECK_FALSE(read_text(plain_scenario(), too_large).problems.empty());
}

TEST_CASE("a launch without a name takes the first of k, k#2, k#3 that no other launch has") {
  const ReadText read = read_text(
      "scenario: Names\ndevice: tiny\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
      "launches:\n  - {kernel: k, name: k}\n  - {kernel: k}\n  - {kernel: k, name: \"k#4\"}\n  - {kernel: k}\n  - "
      "{kernel: k}\n");
  REQUIRE(read.problems.empty());
  std::vector<std::string> names;
  for (const Launch& launch : read.scenario().workload.launches) names.push_back(launch.name);
  CHECK(names == std::vector<std::string>{"k", "k#2", "k#4", "k#3", "k#5"});
}

TEST_CASE("names that begin as formulas do in spreadsheets are refused wherever they stand") {
  const ReadText read = read_text(
      "scenario: Names\n"
      "device: tiny\n"
      "kernels:\n"
      "  =k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
      "queues: {+q: {order: in_order}}\n"
      "launches:\n"
      "  - {kernel: =k, name: -l, queue: +q, writes: [\"@b\"]}\n"
      "cases:\n"
      "  - {name: \"=c\", set: {scenario: =1+1}}\n");
  CHECK_THAT(read.problems,
             Catch::Contains("4:3: kernels: '=k' begins as a formula does") &&
                 Catch::Contains("5:10: queues: '+q' begins") && Catch::Contains("7:24: name: '-l' begins") &&
                 Catch::Contains("7:48: writes: '@b' begins") && Catch::Contains("9:12: name: '=c' begins") &&
                 Catch::Contains("9:34: set: '=1+1' begins"));
}

TEST_CASE("a sub-group that no device has is refused before conflicts of SLM banks are counted") {
  const ReadText read = read_text(
      "scenario: Huge\n"
      "device: {base: tiny, slm_access: {banks: 32, bank_width: 4 B}}\n"
      "kernels:\n"
      "  k: {global: 4294967295, local: 4294967295, sub_group: 4294967295, program: [slm: {accesses: 1}]}\n"
      "launches: [{kernel: k}]\n");
  CHECK_THAT(read.problems, Catch::Contains("sub_group: 4294967295 is not a sub-group size"));
}
