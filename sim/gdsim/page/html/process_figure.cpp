#include <gdsim/page/html/process_figure.hpp>

#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/page/html/html_figures.hpp>
#include <gdsim/page/html/html_legends.hpp>
#include <gdsim/page/html/html_plot.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/launch_plot.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <array>

namespace gdsim {
namespace {

/// Classes of shapes: running, draining, and lost time.
constexpr std::array<std::string_view, 3> kClasses{"busy", "part", "wait"};

std::size_t class_of(DeviceUse use) {
  if (use == DeviceUse::running) return 0;
  return use == DeviceUse::draining ? 1 : 2;
}

std::string shapes_of(const RunView& view, const PreemptionRecord& preemption) {
  const TimeScale time(view.record.first_dispatch, view.record.end);
  std::array<PathData, kClasses.size()> boxes;
  for (const DeviceSpan& span : preemption.spans) {
    if (span.end <= view.record.first_dispatch) continue;
    const std::uint64_t left = time.x(std::max(span.begin, view.record.first_dispatch));
    const std::uint64_t right = std::max(time.x(span.end), left + 1);
    const std::uint64_t top = span.process * kLaunchHeight;
    boxes[class_of(span.use)].box(left, top + 3, right, top + kLaunchHeight - 3);
  }
  std::string shapes;
  for (std::size_t i = 0; i < kClasses.size(); ++i) shapes += path_element(kClasses[i], boxes[i]);
  return shapes;
}

}  // namespace

std::string process_figure(const RunView& view) {
  if (!view.record.preemption || view.record.first_dispatch >= view.record.end) return {};
  const PreemptionRecord& preemption = *view.record.preemption;
  HtmlPlot plot;
  plot.id = "processes";
  plot.caption = "Processes over time";
  plot.description =
      "Processes as rows: filled while one runs on the device, dashed while it is drained for another, "
      "striped while its contexts are saved or restored.";
  plot.shapes = shapes_of(view, preemption);
  plot.height = plot.pixels = preemption.processes.size() * kLaunchHeight;
  for (std::size_t i = 0; i < preemption.processes.size(); ++i)
    plot.left.push_back({i * kLaunchHeight + kLaunchHeight / 2, preemption.processes[i].name});
  plot.time = time_ticks(view);
  return "<section>\n<h2>Processes</h2>\n" + html_figure(plot) + "</section>\n";
}

}  // namespace gdsim
