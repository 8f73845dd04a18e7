#pragma once

#include "support/builders.hpp"
#include "support/table_rows.hpp"

#include <gdsim/scenario/occupancy_request.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace gdsim::testing {

/// The rows that a vendor's calculator gave.
inline std::vector<TableRow> calculator_rows(const std::string& name) { return table_rows("tests/calculators/" + name); }

/// Asks as a table does.
class Calculator {
 public:
  Occupancy ask(const OccupancyFields& fields) {
    const OccupancyRequest question = reader_.read(fields);
    return occupancy_of(question.kernel, *question.device, question.global);
  }

 private:
  SourceFiles sources_;
  ModelLibrary models_{{source_path("models")}, sources_};
  OccupancyRequestReader reader_{models_, "."};
};

inline OccupancyFields intel_question(const TableRow& row) {
  return {{"device", row.at("device")},      {"local", row.at("wg_size")},          {"sub_group", row.at("sg_size")},
          {"global", row.at("global_size")}, {"slm_bytes", row.at("slm_bytes_in")}, {"barriers", row.at("barrier")},
          {"large_grf", row.at("large_grf")}};
}

inline std::uint64_t min_of(const TableRow& row, std::initializer_list<const char*> columns) {
  std::uint64_t min = UINT64_MAX;
  for (const char* column : columns)
    if (!row.at(column).empty()) min = std::min<std::uint64_t>(min, std::stoull(row.at(column)));
  return min;
}

/// Intel's page reads `8*8` as 8, `64.9` as 64 and `1e6` as 1: mistakes that we refuse to share.
inline bool is_misread_by_intel(const TableRow& row) {
  return row.at("wg_size").find_first_of("*.") != std::string::npos || row.at("global_size") == "1e6";
}

/// Text that is no size at all is no question.
inline bool is_no_number(const TableRow& row) { return row.at("wg_size") == "abc" || row.at("global_size") == "abc"; }

inline OccupancyFields nvidia_question(const TableRow& row) {
  // The legacy cache preference is a carve-out: shared, L1, equal.
  static const std::map<std::string, std::string> by_preference{{"1", "100"}, {"2", "0"}, {"3", "50"}};
  const auto preference = by_preference.find(row.at("cache_config"));
  const std::string carveout = preference != by_preference.end() ? preference->second : row.at("carveout_pct");
  const std::uint64_t dynamic = std::stoull(row.at("dynamic_smem"));
  return {{"device", "cc-" + row.at("cc")},
          {"local", row.at("block_size")},
          {"sub_group", "32"},
          {"registers", row.at("regs_per_thread")},
          {"slm_bytes", std::to_string(std::stoull(row.at("static_smem")) + dynamic)},
          {"slm_dynamic_bytes", row.at("dynamic_smem")},
          {"slm_opt_in", row.at("shmem_limit_optin")},
          {"max_dynamic_slm_bytes", row.at("max_dynamic_smem")},
          {"barriers", row.at("num_block_barriers")},
          {"carveout_percent", carveout == "-1" ? "" : carveout}};
}

inline OccupancyFields amd_question(const TableRow& row) {
  OccupancyFields question{{"device", row.at("mcpu")},
                           {"local", row.at("wg_max")},
                           {"sub_group", row.at("wave_size")},
                           {"slm_bytes", row.at("lds_bytes")},
                           {"registers", row.at("vgprs")},
                           {"accumulation_registers", row.at("agprs")},
                           {"scalar_registers", row.at("sgprs")}};
  if (row.at("mode") != "n/a") question["mode"] = row.at("mode") == "WGP" ? "wgp" : "cu";
  return question;
}

}  // namespace gdsim::testing
