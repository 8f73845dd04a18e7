#include "support/builders.hpp"
#include "support/table_rows.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <sstream>

// The SM of every block of kernels that fill no SM, as two GPUs placed them
// (tests/measured/nvidia_placement_rounds.csv; the column `sms` lists runs in steps of 2: `0-78 1-79` is 0, 2, ..., 78,
// 1, 3, ..., 79). Of the A100 only launches of few blocks are there: with many it gives two blocks in a row to an SM.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::vector<std::uint32_t> expand(const std::string& runs) {
  std::vector<std::uint32_t> sms;
  std::istringstream words(runs);
  for (std::string word; words >> word;) {
    const std::size_t dash = word.find('-');
    const auto first = static_cast<std::uint32_t>(std::stoul(word));
    const auto last = dash == std::string::npos ? first : static_cast<std::uint32_t>(std::stoul(word.substr(dash + 1)));
    for (std::uint32_t sm = first; sm <= last; sm += 2) sms.push_back(sm);
  }
  return sms;
}

Kernel kernel_of_blocks(std::uint64_t blocks, std::uint64_t threads, std::uint32_t registers) {
  Kernel kernel;
  kernel.name = "k";
  kernel.range = {{1, 1, blocks * threads}, {1, 1, threads}};
  kernel.sub_group = 32;
  kernel.needs.registers = registers;
  kernel.program = {compute(ms(1))};
  return kernel;
}

}  // namespace

TEST_CASE("V100 and A100 place blocks on SMs 0, 2, 4, ..., then 1, 3, 5, ..., as measured") {
  std::size_t of_v100 = 0;
  for (const TableRow& row : table_rows("tests/measured/nvidia_placement_rounds.csv")) {
    const std::string& device = row.at("device");
    INFO(device << ", " << row.at("blocks") << " blocks");
    const Kernel kernel = kernel_of_blocks(std::stoul(row.at("blocks")), std::stoul(row.at("threads_per_block")),
                                           static_cast<std::uint32_t>(std::stoul(row.at("registers"))));
    const std::vector<std::uint32_t> measured = expand(row.at("sms"));
    REQUIRE(measured.size() == kernel.range.group_count());
    const DeviceSpec model = read_device_model(device, {source_path("models")});
    CHECK(cores_of(run_fully(model, workload_of({kernel}))) == measured);
    of_v100 += device == "v100-sxm2" ? 1 : 0;
  }
  CHECK(of_v100 == 21);
}
