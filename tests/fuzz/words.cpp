#include "words.hpp"

#include <gdsim/base/keys.hpp>
#include <gdsim/scenario/occupancy_request.hpp>

#include <string_view>

namespace gdsim::fuzz {
namespace {

/// Words and shapes that stand as values, or between them, beside those that the table of keys has.
constexpr std::string_view kValues[] = {"true",
                                        "false",
                                        "fill_first",
                                        "least_loaded",
                                        "most_room",
                                        "= mod(tile, 3) + 1",
                                        "exponential",
                                        "tiny",
                                        "0-3",
                                        " ps",
                                        " ns",
                                        " us",
                                        " ms",
                                        " s",
                                        " cycles",
                                        " B",
                                        " KiB",
                                        " MiB",
                                        " GiB",
                                        " GB/s",
                                        " kHz",
                                        " GHz",
                                        " %",
                                        "4294967295",
                                        "4294967296",
                                        "9223372036854775807",
                                        "18446744073709551615",
                                        "1e18",
                                        "0.000001",
                                        "100000",
                                        "time_ns",
                                        "time_ms",
                                        "Bin Start Time",
                                        "Bin End Time",
                                        "occupancy_percent",
                                        "percent",
                                        "duration_ns",
                                        "=== ",
                                        "[]",
                                        "{}",
                                        ": ",
                                        "- ",
                                        "\n- ",
                                        "\n  ",
                                        "core_group",
                                        "core",
                                        "asynchronous: true",
                                        "written: {whole: 1, partial: 31}",
                                        "written_sector: {whole: 32 B, partial: 64 B}",
                                        "excess_sectors: 7",
                                        " cycles/thread"};

template <class Words>
void add(std::set<std::string>& words, const Words& more, std::string_view behind) {
  for (const std::string_view word : more) words.insert(std::string(word) + std::string(behind));
}

}  // namespace

std::set<std::string> words() {
  std::set<std::string> words;
  add(words, keys::kAllNames, ": ");
  add(words, keys::kAllWords, "");
  add(words, kOccupancyFields, "");
  add(words, kValues, "");
  return words;
}

}  // namespace gdsim::fuzz
