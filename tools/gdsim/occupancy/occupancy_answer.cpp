#include "occupancy/occupancy_answer.hpp"

namespace gdsim::cli {
namespace {

std::string vendor_text(const VendorValue& value) {
  return to_fixed(value.value, value.definition == VendorOccupancy::waves_per_engine ? 0 : 4);
}

}  // namespace

std::string_view name_of(FitStatus status) {
  switch (status) {
    case FitStatus::ok: return "ok";
    case FitStatus::refused: return "refused";
    case FitStatus::does_not_fit: return "does_not_fit";
  }
  return {};
}

std::string limiters_text(const std::vector<Resource>& limiters) {
  std::string text;
  for (const Resource limiter : limiters) text += (text.empty() ? "" : "+") + std::string(gdsim::name_of(limiter));
  return text;
}

ResultColumns<Occupancy> answer_columns(AnswerClusters clusters) {
  using Row = Occupancy;
  ResultColumns<Row> columns{
      {"status", "", [](const Row& row) { return name_of(row.status); }},
      {"threads_per_work_group", "", [](const Row& row) { return row.threads_per_work_group; }},
      {"work_groups_per_core", "", [](const Row& row) { return row.work_groups_per_core; }},
      {"threads_per_core", "", [](const Row& row) { return row.threads_per_core; }},
      {"occupancy_percent", "", [](const Row& row) { return row.percent; }},
      {"limiters", "", [](const Row& row) { return ResultValue(limiters_text(row.limiters)); }},
      {"vendor_value", "", [](const Row& row) { return row.vendor_value ? vendor_text(*row.vendor_value) : ""; }},
      {"allocated_registers", "", [](const Row& row) { return row.allocated_registers; }},
      {"allocated_slm_bytes", "", [](const Row& row) { return row.allocated_slm.count; }}};
  if (clusters == AnswerClusters::yes)
    columns.add({"active_clusters", "", [](const Row& row) { return row.active_clusters; }});
  return columns;
}

}  // namespace gdsim::cli
