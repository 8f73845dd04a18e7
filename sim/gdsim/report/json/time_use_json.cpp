#include <gdsim/report/json/time_use_json.hpp>

#include <vector>

namespace gdsim {
namespace {

void write_spent(const TimeUse& use, JsonWriter& json) {
  for (std::size_t kind = 0; kind < kTimeKindCount; ++kind)
    json.key(std::string(kTimeKindNames[kind]) + "_ns").thread_time(use.in_files(static_cast<TimeKind>(kind)));
}

void write_kernels(const RunReport& report, JsonWriter& json) {
  const auto& kernels = report.workload.kernels;
  std::vector<TimeUse> sums(kernels.size());
  for (const CoreTimeUse& one : report.record.time_use) sums[index_of(one.kernel)] += one.use;
  json.key("kernels").open_list();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (sums[k].sum() == 0) continue;
    json.open_object();
    json.key("kernel").text(kernels[k].name);
    write_spent(sums[k], json);
    json.close_object();
  }
  json.close_list();
}

void write_cores(const RunReport& report, JsonWriter& json) {
  json.key("cores").open_list();
  for (const CoreTimeUse& one : report.record.time_use) {
    json.open_object();
    json.key("core").count(index_of(one.core));
    json.key("kernel").text(report.workload.kernels[index_of(one.kernel)].name);
    write_spent(one.use, json);
    json.close_object();
  }
  json.close_list();
}

/// Writes free contexts: by kernel, the resource that its work-groups lacked, or that there was nothing to dispatch.
void write_idle(const RunReport& report, JsonWriter& json) {
  json.key("idle").open_list();
  for (const IdleUse& use : report.record.idle) {
    json.open_object();
    json.key("core").count(index_of(use.core));
    json.key("kernel");
    if (use.kernel) {
      json.text(report.workload.kernels[index_of(*use.kernel)].name);
    } else {
      json.none();
    }
    json.key("short_of").text(use.reason ? name_of(*use.reason) : "nothing_to_dispatch");
    json.key("context_ns").thread_time(use.context_time);
    json.close_object();
  }
  json.close_list();
}

}  // namespace

void write_time_use(const RunReport& report, JsonWriter& json) {
  json.key("time_use").open_object();
  json.key("unit").text("thread-ns");
  write_kernels(report, json);
  write_cores(report, json);
  write_idle(report, json);
  json.close_object();
}

}  // namespace gdsim
