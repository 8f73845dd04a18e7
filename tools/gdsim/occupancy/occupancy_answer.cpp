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

void write_answer(const Occupancy& occupancy, AnswerClusters clusters, CsvWriter& csv) {
  csv.text(name_of(occupancy.status)).count(occupancy.threads_per_work_group).count(occupancy.work_groups_per_core);
  csv.count(occupancy.threads_per_core).fraction(occupancy.percent).text(limiters_text(occupancy.limiters));
  csv.text(occupancy.vendor_value ? vendor_text(*occupancy.vendor_value) : "");
  csv.text(occupancy.allocated_registers ? std::to_string(*occupancy.allocated_registers) : "");
  csv.bytes(occupancy.allocated_slm);
  if (clusters == AnswerClusters::no) return;
  csv.text(occupancy.active_clusters ? std::to_string(*occupancy.active_clusters) : "");
}

void write_error(std::string_view message, AnswerClusters clusters, CsvWriter& csv) {
  csv.text("error: " + std::string(message));
  for (std::size_t i = 1; i < kAnswerColumns.size(); ++i) csv.text("");
  if (clusters == AnswerClusters::yes) csv.text("");
}

}  // namespace gdsim::cli
