#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/page/picture/picture_svg.hpp>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

// Why is version 4 faster? The picture of the six imported matrix multiplications: how long the simulation of each
// takes, below which times its bounds keep it, and an estimate for memory.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Resource {
  const char* begins;  ///< the words of its bound in a scenario's comment
  const char* style;
  const char* words;  ///< for the legend
};

constexpr std::array<Resource, 6> kResources{{{"L1 and shared memory", "t-slm", "L1 and shared memory"},
                                              {"load_store instructions", "t-access", "load/store instructions"},
                                              {"issue slots", "t-issue", "issue slots"},
                                              {"L2", "t-mem2", "L2 (estimate)"},
                                              {"GDDR6", "t-mem3", "memory (estimate)"},
                                              {"fp32 instructions", "t-run", "multiply-adds"}}};

struct Version {
  std::string name;
  double duration = 0;             ///< us
  std::array<double, 6> bounds{};  ///< us, by resource; 0: none
  std::size_t largest = 0;         ///< of the bounds
};

Version version_of(const std::string& name) {
  const std::string file = source_path("scenarios/compiled/sgemm_" + name + ".yaml");
  Version version{name};
  const std::string text = read_file(file);
  const std::regex bound("# (?:not below|ASSUMED: about) ([0-9.e+-]+) ms, [0-9.e+]+ cycles: ([^\n]*)");
  for (std::sregex_iterator match(text.begin(), text.end(), bound), end; match != end; ++match)
    for (std::size_t i = 0; i < kResources.size(); ++i)
      if ((*match)[2].str().starts_with(kResources[i].begins)) version.bounds[i] = 1e3 * std::stod((*match)[1]);
  for (std::size_t i = 0; i < kResources.size(); ++i)
    if (version.bounds[i] > version.bounds[version.largest]) version.largest = i;
  const Ran ran = run_gdsim({"run", file, "--print", "summary"});
  REQUIRE(ran.status == 0);
  std::smatch duration;
  REQUIRE(std::regex_search(ran.out, duration, std::regex("\"duration_ns\": ([0-9.]+)")));
  version.duration = std::stod(duration[1]) / 1e3;
  return version;
}

/// Where a time lies: 8 us at the left, 6 ms at the right, by its logarithm.
std::uint64_t pixel_of(double us) {
  const double share = std::log(us / 8) / std::log(6000.0 / 8);
  return PictureFrame::kLeft + static_cast<std::uint64_t>(share * static_cast<double>(PictureFrame::kPlotPixels));
}

std::string time_text(double us) {
  return us < 1000 ? fmt::format("{:.0f} us", us) : fmt::format("{:.2f} ms", us / 1e3);
}

void add_version(std::size_t number, const Version& version, std::uint64_t y, PictureFrame& frame) {
  frame.text(PictureFrame::kLeft - 6, y + 4, "end", fmt::format("{} {}", number, version.name));
  frame.raw(fmt::format("<path class=\"resident\" d=\"M{0} {1}H{2}M{2} {3}v18\"/>\n", PictureFrame::kLeft, y,
                        pixel_of(version.duration), y - 9));
  for (std::size_t i = kResources.size(); i-- > 0;)
    if (version.bounds[i] >= 8)
      frame.raw(fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"5\" height=\"12\"/>\n", kResources[i].style,
                            pixel_of(version.bounds[i]) - 2, y - 6));
  const std::string words =
      fmt::format("{}, largest: {}", time_text(version.duration), kResources[version.largest].words);
  const bool is_right = version.duration > 1000;
  frame.text(is_right ? pixel_of(400) : pixel_of(version.duration) + 8, is_right ? y + 15 : y + 4, "start", words);
}

std::string picture_of(const std::vector<std::string>& names) {
  constexpr std::uint64_t top = 34, step = 34;
  const std::uint64_t height = step * names.size();
  PictureFrame frame;
  frame.text(PictureFrame::kLeft, 20, "start",
             "Six matrix multiplications, 1536 x 1536 x 128, on an RTX A6000: simulated duration (black line), bounds");
  frame.raw(fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", PictureFrame::kLeft,
                        top, PictureFrame::kPlotPixels, height));
  for (const double us : {10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0}) {
    frame.raw(fmt::format("<path class=\"grid\" d=\"M{} {}v{}\"/>\n", pixel_of(us), top, height));
    frame.text(pixel_of(us), top + height + 16, "middle", us < 1000 ? time_text(us) : fmt::format("{} ms", us / 1e3));
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    add_version(i + 1, version_of(names[i]), top + step * i + step / 2, frame);
  frame.move_down(top + height + 32);
  for (const Resource& resource : kResources) frame.legend_entry(resource.style, resource.words);
  frame.move_down(20);
  return frame.finish("Why is version 4 faster?",
                      "Durations of six versions of a matrix multiplication, with bounds by resource: the largest of "
                      "them falls from version to version");
}

}  // namespace

TEST_CASE("golden: the picture of the six matrix multiplications is that of today", "[figures]") {
  CHECK(difference_to_approved("scenarios/pictures/sgemm_ladder.svg",
                               picture_of({"naive", "coalesced", "tiled", "tiled_1d", "tiled_2d", "vectorised"}))
            .empty());
}
