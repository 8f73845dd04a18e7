#include <gdsim/base/csv_table.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include "measured/bandwidths.hpp"
#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace gdsim;
using namespace gdsim::testing;

// How much a GPU reads, by how many threads are resident: tests/measured/bandwidth_by_threads.csv, measured, against
// the shipped models. Each work-item loads 8 bytes, once; shared memory lets one or two blocks be on a core.

namespace {

using Row = BandwidthRow;

/// The path through these points, by threads of a core and GB/s.
std::string path_of(const std::vector<std::pair<double, double>>& points, double height) {
  std::string path;
  for (const auto& [threads, rate] : points)
    path += fmt::format(
        "{}{:.1f} {:.1f}", path.empty() ? "M" : "L",
        static_cast<double>(PictureFrame::kLeft) + threads / 2048 * static_cast<double>(PictureFrame::kPlotPixels),
        30 + height * (1 - rate / 2000));
  return path;
}

/// What was measured and what is simulated, in one figure.
std::string picture_of(const std::string& device) {
  constexpr std::uint64_t height = 300;
  std::vector<std::pair<double, double>> read;
  std::vector<std::pair<double, double>> run;
  for (const Row& row : bandwidth_rows()) {
    if (row.device != device) continue;
    const auto threads = static_cast<double>(row.threads_per_block * row.blocks_per_core);
    read.emplace_back(threads, row.read);
    run.emplace_back(threads, simulated_bandwidth(row));
  }
  PictureFrame frame;
  frame.raw(fmt::format("<rect class=\"frame\" x=\"{}\" y=\"30\" width=\"{}\" height=\"{}\"/>\n", PictureFrame::kLeft,
                        PictureFrame::kPlotPixels, height));
  for (std::uint64_t i = 0; i <= 4; ++i) {
    const std::uint64_t y = 30 + height - i * height / 4;
    frame.raw(
        fmt::format("<path class=\"grid\" d=\"M{} {}h{}\"/>\n", PictureFrame::kLeft, y, PictureFrame::kPlotPixels));
    frame.text(PictureFrame::kLeft - 6, y + 4, "end", fmt::format("{} GB/s", i * 500));
    frame.text(PictureFrame::kLeft + i * PictureFrame::kPlotPixels / 4, 30 + height + 16, "middle",
               fmt::format("{}", i * 512));
  }
  frame.raw("<path class=\"resident\" d=\"" + path_of(run, height) + "\"/>\n");
  frame.raw("<path class=\"measured\" d=\"" + path_of(read, height) + "\"/>\n");
  frame.text(PictureFrame::kLeft, 20, "start", "What " + device + " reads, by resident threads of an SM");
  frame.move_down(30 + height + 34);
  frame.legend_entry("resident", "simulated");
  frame.legend_entry("measured", "measured (RRZE-HPC/gpu-benches, gpu-stream)");
  frame.move_down(20);
  return frame.finish("Bandwidth by resident threads", "Measured and simulated read bandwidth of " + device);
}

}  // namespace

TEST_CASE("golden: the picture of what an A100 reads by resident threads is that of today", "[figures]") {
  CHECK(difference_to_approved("scenarios/pictures/bandwidth_by_threads.svg", picture_of("a100-80gb")).empty());
}

TEST_CASE("what the cases of bandwidth_by_threads.yaml expect was measured, and none of all sizes is 15 % off",
          "[figures]") {
  ReadOptions options;
  options.models = {source_path("models")};
  SourceFiles sources;
  const auto cases = read_scenario(source_path("scenarios/bandwidth_by_threads.yaml"), options, sources);
  REQUIRE(cases.size() == 8);
  const std::vector<Row> rows = bandwidth_rows();
  for (const auto& one : cases) {
    const Kernel& kernel = one.scenario.workload.kernels.at(0);
    const auto& expected = std::get<ExpectedActive>(one.scenario.expectations.at(0).item);
    const auto bytes = static_cast<double>(8 * kernel.range.group_count() * kernel.range.group_size());
    const double rate = bytes * 1e3 / static_cast<double>(expected.time.count);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.device == "a100-80gb" && row.blocks_per_core == 2 &&
             row.threads_per_block == kernel.range.group_size() && std::abs(row.read / rate - 1) < 1e-6;
    }));
  }
  for (const Row& row : rows)
    if (row.device == "a100-80gb") CHECK(std::abs(simulated_bandwidth(row) / row.read - 1) < 0.15);
}
