#include <gdsim/analysis/findings/finding_empty.hpp>

#include <gdsim/analysis/compared_launches.hpp>

#include <fmt/format.h>

#include <vector>

namespace gdsim {

std::string empty_finding(const RunReport& report) {
  const std::vector<LaunchSpan> spans = launch_spans(report.workload, report.record);
  const auto run = static_cast<UInt128>(report.record.duration().count);
  const UInt128 resident = time_of(spans);
  if (spans.size() < 2 || run == 0 || resident > run - resident) return {};
  return fmt::format("Empty: no {} is resident for {} % of the run, before and between its {} launches.",
                     report.device.terms.thread, to_fixed({(run - resident) * 100, run}, 1), spans.size());
}

}  // namespace gdsim
