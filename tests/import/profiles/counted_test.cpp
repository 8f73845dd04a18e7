#include "import/profiles/samples.hpp"
#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/table_rows.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <regex>
#include <string>
#include <utility>
#include <vector>

// What Nsight Compute counted of a kernel becomes the work of its threads.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A raw page of one launch: names, units and values.
using Metrics = std::vector<std::array<std::string, 3>>;

std::string raw_page(const std::string& kernel, const std::string& block, const std::string& grid,
                     const Metrics& metrics) {
  std::string names = R"("ID","Kernel Name","Stream","Block Size","Grid Size","Device","CC")";
  std::string units = R"("","","","","","","")";
  std::string values = fmt::format(R"x("0","{}","7","({}, 1, 1)","({}, 1, 1)","0","8.9")x", kernel, block, grid);
  for (const auto& [name, unit, value] : metrics) {
    if (value.empty()) continue;
    names += ",\"" + name + "\"";
    units += ",\"" + unit + "\"";
    values += ",\"" + value + "\"";
  }
  return names + "\n" + units + "\n" + values + "\n";
}

/// A stream of 512 blocks of 8 warps on an RTX 4090: 4 KiB and 100 instructions of each warp.
Metrics stream() {
  return {{"device__attribute_display_name", "", "NVIDIA GeForce RTX 4090"},
          {"device__attribute_multiprocessor_count", "", "128"},
          {"gpu__time_duration.sum", "usecond", "40"},
          {"launch__registers_per_thread", "register/thread", "32"},
          {"launch__shared_mem_per_block_static", "byte/block", "0"},
          {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "60.5"},
          {"smsp__inst_executed.sum", "inst", "409,600"},
          {"smsp__inst_executed_pipe_fma.sum", "inst", "163840"},
          {"smsp__inst_executed_pipe_lsu.sum", "inst", "81920"},
          {"lts__t_bytes.sum", "Mbyte", "16.777216"},
          {"dram__bytes_read.sum", "Mbyte", "8.388608"},
          {"dram__bytes_write.sum", "byte", "4194304"}};
}

Metrics changed(Metrics metrics, const std::string& name, const std::string& value) {
  for (auto& metric : metrics)
    if (metric[0] == name) {
      metric[2] = value;
      return metrics;
    }
  metrics.push_back({name, "", value});
  return metrics;
}

const std::string kStream = raw_page("stream", "256", "512", stream());

Ran imported_page(const std::string& text) {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"import", folder.write("profile.csv", text)});
  INFO(ran.err);
  CHECK(ran.status == 0);
  return ran;
}

nlohmann::json summary_of(const std::string& scenario, std::vector<std::string> words = {}) {
  const TemporaryFolder folder;
  words.insert(words.begin(), {"run", folder.write("s.yaml", scenario), "--print", "summary"});
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return nlohmann::json::parse(ran.out);
}

}  // namespace

TEST_CASE("counters of Nsight Compute's raw page are read with their units") {
  const Profile profile = profile_of(kStream);
  REQUIRE(profile.counters.size() == 1);
  const ProfiledCounters& counters = profile.counters[profile.launches.at(0).counters - 1];
  CHECK(counters.instructions == 409'600);
  CHECK(counters.by_kind ==
        std::vector<std::pair<std::string, std::uint64_t>>{{"fp32", 163'840}, {"load_store", 81'920}});
  CHECK(counters.cache_bytes == 16'777'216);
  CHECK(counters.memory_bytes == 12'582'912);
  CHECK(counters.achieved_hundredths == 6'050);
}

TEST_CASE("a clock in a unit that is not known is none") {
  const auto clock_in = [](const std::string& unit) {
    Metrics metrics = stream();
    metrics.push_back({"gpc__cycles_elapsed.avg.per_second", unit, "1.5"});
    return profile_of(raw_page("stream", "256", "512", metrics)).devices.front().clock;
  };
  CHECK(clock_in("cycle/nsecond") == Hertz{1'500'000'000});
  CHECK(clock_in("cycle/usecond") == Hertz{1'500'000});
  CHECK_FALSE(clock_in("cycle/fortnight").has_value());
}

TEST_CASE("a launch of which instructions or bytes were not counted has no counters") {
  for (const std::string name : {"smsp__inst_executed.sum", "lts__t_bytes.sum"})
    CHECK(profile_of(raw_page("k", "256", "512", changed(stream(), name, ""))).counters.empty());
  const Metrics half = changed(stream(), "dram__bytes_write.sum", "");
  const Profile profile = profile_of(raw_page("k", "256", "512", half));
  REQUIRE(profile.counters.size() == 1);
  CHECK(profile.counters[0].memory_bytes == 8'388'608);
  CHECK_THAT(profile.notes.at(0), Contains("bytes that are written of the DRAM were not counted"));
  CHECK(profile_of(raw_page("k", "256", "512", changed(changed(half, "dram__bytes_read.sum", ""), "x", "")))
            .counters.empty());
  CHECK_THAT(problem_of(raw_page("k", "256", "512", changed(stream(), "smsp__inst_executed.sum", "many"))),
             Contains("'smsp__inst_executed.sum' is 'many inst', which is no count"));
}

TEST_CASE("what lanes executed follows from rates of a roofline where it was not summed") {
  Metrics rates = changed(stream(), "smsp__inst_executed_pipe_fma.sum", "");
  rates = changed(rates, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed", "20.5");
  rates = changed(rates, "smsp__cycles_elapsed.max", "64000");
  const Profile profile = profile_of(raw_page("k", "256", "512", rates));
  REQUIRE(profile.counters.size() == 1);
  CHECK(profile.counters[0].by_kind ==
        std::vector<std::pair<std::string, std::uint64_t>>{{"fp64", 41'000}, {"load_store", 81'920}});
}

TEST_CASE("a launch's counters become steps of its threads, times one factor with which it lasts as measured",
          "[figures]") {
  const Ran ran = imported_page(kStream);
  CHECK_THAT(ran.out, Contains("# counted, of each thread: 100 instructions, 4096 B behind the L1 cache; times "));
  CHECK_THAT(ran.out, Contains("shared_working_set: 301989888 B  # so that the last cache serves 25 % of the bytes"));
  CHECK_THAT(ran.out, Contains("issue: {fp32: ") && Contains("load_store: ") && !Contains("compute:"));
  CHECK_THAT(ran.err, Contains("stream: what was counted, times ") && Contains("achieved occupancy: measured 60.5 %"));
  const TemporaryFolder folder;
  const Ran checked = run_gdsim({"check", folder.write("s.yaml", ran.out)});
  INFO(checked.out);
  CHECK(checked.status == 0);
  CHECK_THAT(checked.out, Contains("launches: stream duration 40 us") && Contains("achieved_occupancy"));
}

TEST_CASE("the clock at which a file's launches ran replaces all clocks of the device", "[figures]") {
  Metrics metrics = stream();
  metrics.push_back({"gpc__cycles_elapsed.avg.per_second", "cycle/second", "2000000000"});
  const std::string page = raw_page("stream", "256", "512", metrics);
  const TemporaryFolder folder;
  const auto imported_on = [&](const std::string& clock) {
    const std::string model = folder.write("d.yaml", "device: d\nname: D\nbase: rtx-4090\nclock: " + clock + "\n");
    const Ran ran = run_gdsim({"import", folder.write("p.csv", page), "--device", model});
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    return ran.out;
  };
  const std::string plain = imported_on("2 GHz");
  const auto work_of = [](const std::string& scenario) { return scenario.substr(scenario.find("\nkernels:")); };
  for (const std::string clock :
       {"3 GHz", "{at: {0 s: 2 GHz, 5 us: 0.5 GHz}}", "{at: {0 s: 3 GHz, 5 us: 0.5 GHz}}",
        "3 GHz\npower: {limit: 9 W, period: 10 us, per_busy_context: {3 GHz: 1 mW, 2 GHz: 1 uW}}"}) {
    INFO(clock);
    const std::string scenario = imported_on(clock);
    CHECK_THAT(scenario, Contains("clock: 2 GHz"));
    CHECK(work_of(scenario) == work_of(plain));
    const Ran checked = run_gdsim({"check", folder.write("s.yaml", scenario)});
    CHECK(checked.status == 0);
    CHECK_THAT(checked.out, Contains("launches: stream duration 40 us"));
  }
}

TEST_CASE("a launch that does twice as much is calibrated by half the factor", "[figures]") {
  const auto factor_of = [](const Metrics& metrics) {
    const std::string text = imported_page(raw_page("stream", "256", "512", metrics)).err;
    std::smatch match;
    REQUIRE(std::regex_search(text, match, std::regex("what was counted, times ([0-9.]+),")));
    return std::stod(match[1]);
  };
  Metrics twice = stream();
  for (auto& [name, unit, value] : twice)
    if (name.find("inst_executed") != std::string::npos)
      value = name == "smsp__inst_executed.sum" ? "819200" : value == "163840" ? "327680" : "163840";
  twice = changed(changed(changed(twice, "lts__t_bytes.sum", "33.554432"), "dram__bytes_read.sum", "16.777216"),
                  "dram__bytes_write.sum", "8388608");
  CHECK(factor_of(stream()) / factor_of(twice) == Approx(2).epsilon(0.05));
}

TEST_CASE("what follows of other block sizes and of another GPU is as far off as the table says", "[figures]") {
  std::string scenario;
  std::string kernel;
  for (const auto& row : table_rows("tests/measured/ncu_counted.csv")) {
    const auto cell = [&](const std::string& name) { return row.at(name); };
    INFO(cell("kernel") << " on " << cell("device") << ", block " << cell("block"));
    const bool is_fit = cell("factor") != "";
    if (is_fit) {
      kernel = cell("kernel");
      const Ran ran = imported_page(
          raw_page(kernel, cell("block"), cell("grid"),
                   {{"device__attribute_display_name", "", cell("device")},
                    {"device__attribute_multiprocessor_count", "", cell("sms")},
                    {"gpc__cycles_elapsed.avg.per_second", "cycle/second", cell("clock_hz")},
                    {"gpu__time_duration.sum", "ns", cell("measured_ns")},
                    {"launch__registers_per_thread", "", cell("registers")},
                    {"smsp__inst_executed.sum", "", cell("instructions")},
                    {"smsp__inst_executed_pipe_lsu.sum", "", cell("load_store")},
                    {"lts__t_sectors.sum", "", cell("l2_sectors")},
                    {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld_lookup_miss.sum", "", cell("l1_miss_bytes")},
                    {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", "", cell("stored_bytes")},
                    {"dram__bytes_read.sum", "", cell("dram_read")},
                    {"dram__bytes_write.sum", "", cell("dram_written")}}));
      scenario = ran.out;
      CHECK_THAT(ran.err, Contains("what was counted, times " + cell("factor") + ","));
      continue;
    }
    std::string other = scenario;
    if (!cell("model").empty())
      other = std::regex_replace(other, std::regex("\ndevice: [^\n]*"), "\ndevice: " + cell("model"));
    const auto summary = summary_of(
        other, {"--set", fmt::format("kernels.{}.local={}", kernel, cell("block")), "--set",
                fmt::format("kernels.{}.global={}", kernel, std::stoul(cell("block")) * std::stoul(cell("grid")))});
    const double predicted = summary.at("duration_ns");
    CHECK(predicted == Approx(std::stod(cell("predicted_ns"))).epsilon(1e-9));
    CHECK(100 * (predicted / std::stod(cell("measured_ns")) - 1) ==
          Approx(std::stod(cell("error_percent"))).margin(0.06));
  }
}
