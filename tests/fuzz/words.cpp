#include "words.hpp"

#include <gdsim/scenario/occupancy_request.hpp>
#include <reference/key_reference.hpp>

#include <string_view>

namespace gdsim::fuzz {
namespace {

/// Words and shapes that stand as values, or between them, beside those of the schemas.
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

/// Adds every name in a schema, as a key and as a value. Those of JSON Schema itself do no harm.
void add_names(std::string_view schema, std::set<std::string>& words) {
  for (std::size_t at = schema.find('"'); at != std::string_view::npos; at = schema.find('"', at + 1)) {
    const std::size_t end = schema.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", at + 1);
    if (end == std::string_view::npos || end == at + 1 || schema[end] != '"') continue;
    const std::string name(schema.substr(at + 1, end - at - 1));
    words.insert({name, name + ": "});
  }
}

}  // namespace

std::set<std::string> words() {
  std::set<std::string> words(std::begin(kValues), std::end(kValues));
  for (const std::string_view field : kOccupancyFields) words.emplace(field);
  add_names(cli::scenario_schema_text(), words);
  add_names(cli::device_schema_text(), words);
  return words;
}

}  // namespace gdsim::fuzz
