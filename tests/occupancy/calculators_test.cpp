#include "occupancy/calculator.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <set>

// Every row that the vendors' own calculators gave (tests/calculators), against ours. What a tool gets wrong is listed
// with the reason; nothing else is left out.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Row = TableRow;

/// The vendors' words for what limits, in ours; their order does not matter.
std::set<std::string> limiters_of(const std::string& words) {
  static const std::map<std::string, std::string> ours{{"warps", "threads"},
                                                       {"slots", "threads"},
                                                       {"threads", "threads"},
                                                       {"blocks", "work_group_slots"},
                                                       {"shared", "slm"},
                                                       {"lds", "slm"},
                                                       {"slm", "slm"},
                                                       {"wg_slots", "work_group_slots"},
                                                       {"vgpr", "registers"},
                                                       {"registers", "registers"},
                                                       {"sgpr", "scalar_registers"},
                                                       {"barriers", "barriers"}};
  std::set<std::string> limiters;
  for (std::string rest = words; !rest.empty();) {
    const std::string word = rest.substr(0, rest.find('+'));
    rest.erase(0, word.size() + 1);
    limiters.insert(ours.at(word));
  }
  return limiters;
}

std::set<std::string> limiters_of(const Occupancy& occupancy) {
  std::set<std::string> limiters;
  for (const Resource limiter : occupancy.limiters) limiters.emplace(name_of(limiter));
  return limiters;
}

double value(Ratio ratio) { return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator); }

/// Counts rows that differ and remembers the first, so that thousands of rows make one assertion.
class Tally {
 public:
  void expect(bool holds, const Row& row, const char* what) {
    ++checks_;
    if (holds || ++failures_ > 1) return;
    first_ = what;
    for (const auto& [name, cell] : row) first_ += " " + name + "=" + cell;
  }
  void check(std::size_t min) const {
    INFO(failures_ << " of " << checks_ << " differ; the first: " << first_);
    CHECK(failures_ == 0);
    CHECK(checks_ >= min);
  }

 private:
  std::size_t checks_ = 0;
  std::size_t failures_ = 0;
  std::string first_;
};

/// NVIDIA's header keeps the flags of other limits when barriers turn out to limit more: the flags are stale where
/// those limits are higher than what is resident.
bool has_stale_flags(const Row& row) {
  const std::string& barriers = row.at("lim_barriers");
  return barriers != "INF" && barriers == row.at("active_blocks") && row.at("limiters") != "barriers" &&
         std::stoull(barriers) < min_of(row, {"lim_warps", "lim_blocks"});
}

}  // namespace

TEST_CASE("Intel: every row of the GPU Occupancy Calculator is reproduced") {
  Calculator calculator;
  Tally tally;
  for (const Row& row : calculator_rows("intel.csv")) {
    if (is_misread_by_intel(row)) continue;
    if (is_no_number(row)) {
      CHECK_THROWS_AS(calculator.ask(intel_question(row)), InputError);
      continue;
    }
    const Occupancy ours = calculator.ask(intel_question(row));
    if (row.at("status") == "error") {
      tally.expect(ours.status == FitStatus::refused, row, "refused");
      continue;
    }
    const std::uint64_t resident = min_of(row, {"lim_threads", "lim_slm", "lim_slots_or_barrier"});
    const std::uint64_t threads = std::stoull(row.at("threads_per_wg"));
    tally.expect(ours.status == (resident > 0 ? FitStatus::ok : FitStatus::does_not_fit), row, "status");
    tally.expect(ours.work_groups_per_core == resident, row, "work-groups");
    tally.expect(ours.threads_per_work_group == threads && ours.threads_per_core == resident * threads, row, "threads");
    // The tool itself also caps by all work-groups of the launch: that is its own number.
    const double tools = std::stod(row.at("xecore_occ_pct"));
    if (ours.vendor_value) tally.expect(std::abs(value(ours.vendor_value->value) - tools) < 1e-9, row, "vendor value");
    if (row.at("limiters").find("total_wg_count") != std::string::npos) continue;
    tally.expect(std::abs(value(ours.percent) - tools) < 1e-9, row, "occupancy");
    tally.expect(limiters_of(ours) == limiters_of(row.at("limiters")), row, "limiters");
  }
  tally.check(12'000);
}

TEST_CASE("NVIDIA: every row of cuda_occupancy.h is reproduced") {
  Calculator calculator;
  Tally tally;
  std::size_t stale = 0;
  for (const Row& row : calculator_rows("nvidia.csv")) {
    const Occupancy ours = calculator.ask(nvidia_question(row));
    tally.expect(ours.work_groups_per_core == std::stoull(row.at("active_blocks")), row, "blocks");
    tally.expect(std::abs(value(ours.percent) - 100 * std::stod(row.at("occupancy"))) < 1e-7, row, "occupancy");
    tally.expect(ours.allocated_registers == std::stoull(row.at("alloc_regs_per_block")), row, "registers");
    tally.expect(static_cast<std::uint64_t>(ours.allocated_slm.count) == std::stoull(row.at("alloc_smem_per_block")),
                 row, "shared memory");
    tally.expect(!ours.vendor_value.has_value(), row, "vendor value");
    if (has_stale_flags(row)) {
      ++stale;
      tally.expect(limiters_of(ours) == std::set<std::string>{"barriers"}, row, "limiters");
    } else {
      tally.expect(limiters_of(ours) == limiters_of(row.at("limiters")), row, "limiters");
    }
  }
  CHECK(stale == 10);
  tally.check(20'000);
}

// The table of technical specifications per compute capability of the CUDA C++ Programming Guide. It says 255 registers
// per thread; from Volta on, the models follow cuda_occupancy.h with 256.
TEST_CASE("NVIDIA: of each compute capability, as many blocks and warps are resident as the programming guide allows") {
  Calculator calculator;
  std::size_t capabilities = 0;
  for (const Row& row : calculator_rows("compute_capabilities.csv")) {
    INFO("cc-" << row.at("cc"));
    const auto number = [&](const char* column) -> std::uint64_t { return std::stoull(row.at(column)); };
    const auto ask = [&](std::uint64_t block, std::uint64_t registers, std::uint64_t shared) {
      return calculator.ask({{"device", "cc-" + row.at("cc")},
                             {"local", std::to_string(block)},
                             {"sub_group", "32"},
                             {"registers", std::to_string(registers)},
                             {"slm_bytes", std::to_string(shared)},
                             {"slm_dynamic_bytes", std::to_string(shared)},
                             {"slm_opt_in", "1"},
                             {"max_dynamic_slm_bytes", std::to_string(shared)}});
    };
    const std::uint64_t warps = number("warps_per_sm");
    CHECK(ask(32, 16, 0).work_groups_per_core == std::min(warps, number("blocks_per_sm")));
    CHECK(ask(number("threads_per_block"), 16, 0).threads_per_core == warps / 32 * 32);
    CHECK(ask(number("threads_per_block") + 1, 16, 0).status != FitStatus::ok);
    // Blocks of 4 warps, so that each sub-partition has as many.
    CHECK(ask(128, 128, 0).work_groups_per_core == std::min(warps / 4, number("registers_per_sm") / (128 * 128)));
    CHECK(ask(1024, 64, 0).work_groups_per_core == number("registers_per_sm") / 65536);
    CHECK(ask(128, number("registers_per_thread"), 0).status == FitStatus::ok);
    CHECK(ask(128, number("registers_per_thread") + 2, 0).status != FitStatus::ok);
    CHECK(ask(1024, 65, 0).status != FitStatus::ok);
    const std::uint64_t of_block = number("shared_kib_per_block") * 1024;
    const std::uint64_t reserve = std::stod(row.at("cc")) >= 8 ? 1024 : 0;
    CHECK(ask(32, 16, of_block).work_groups_per_core == number("shared_kib_per_sm") * 1024 / (of_block + reserve));
    CHECK(ask(32, 16, of_block + 1).status != FitStatus::ok);
    ++capabilities;
  }
  CHECK(capabilities == 17);
}

TEST_CASE("AMD: every row of llc is reproduced, and whole work-groups packed by the same rules") {
  Calculator calculator;
  Tally tally;
  for (const Row& row : calculator_rows("amd.csv")) {
    OccupancyFields for_llc = amd_question(row);
    for_llc.erase("accumulation_registers");
    for_llc["registers"] = row.at("llc24_vgprs_for_occ");
    for_llc["scalar_registers"] = row.at("llc24_sgprs_for_occ");
    const Occupancy llc = calculator.ask(for_llc);
    tally.expect(llc.vendor_value && value(llc.vendor_value->value) == std::stod(row.at("llc24_occ")), row,
                 "waves per SIMD");

    const Occupancy packed = calculator.ask(amd_question(row));
    tally.expect(packed.work_groups_per_core == std::stoull(row.at("packed_wgs")), row, "work-groups");
    tally.expect(packed.threads_per_core == std::stoull(row.at("packed_waves")), row, "waves");
    tally.expect(std::abs(value(packed.percent) - 100 * std::stod(row.at("packed_occ"))) < 1e-3, row, "occupancy");
    tally.expect(limiters_of(packed) == limiters_of(row.at("packed_limiters")), row, "limiters");
  }
  tally.check(15'000);
}

TEST_CASE("the figures of work-groups per core that people published are ours, but for one in which sources conflict") {
  struct Published {
    const char* origin;  ///< a row of tests/results/public_reports.csv
    const char* device;
    const char* local;
    const char* sub_group;
    const char* registers;
    std::uint64_t ours;
  };
  const std::vector<Published> all{
      {"kekzl/imp 1482", "rtx-5090", "128", "32", "40", 12},
      {"kekzl/imp 1482", "rtx-5090", "128", "32", "48", 10},
      {"kekzl/imp 1482", "rtx-5090", "128", "32", "53", 9},
      {"kokkos 5739", "a100-80gb", "224", "32", "92", 2},  // 21 warps, but handed out by 4
      {"brian2cuda 208", "cc-6.1", "768", "32", "36", 2},
      {"openxla/xla 47468", "mi300x", "320", "64", "64", 6},
      {"ROCm/rocm-libraries 9708", "rx-7900-xtx", "32", "32", "96", 32},  // 1536 registers: 16 waves per SIMD
      {"ROCm/rocm-libraries 9708", "rx-7900-xtx", "32", "32", "97", 24},
      // The spreadsheet has 32768 registers per block on 5.2; the programming guide, whose number the model has, 65536.
      {"xmartlabs/cuda-calculator 1", "cc-5.2", "128", "32", "85", 5}};
  Calculator calculator;
  for (const Published& one : all) {
    INFO(one.origin << ": " << one.device << ", " << one.registers);
    const Occupancy answer = calculator.ask(
        {{"device", one.device}, {"local", one.local}, {"sub_group", one.sub_group}, {"registers", one.registers}});
    CHECK(answer.work_groups_per_core == one.ours);
  }
}
