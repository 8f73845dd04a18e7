#include <gdsim/page/html/page_bodies.hpp>

#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace gdsim {
namespace {

void add(DeviceCounts& sum, const DeviceCounts& counts) {
  sum.resident.threads += counts.resident.threads;
  sum.resident.running += counts.resident.running;
  sum.resident.work_groups += counts.resident.work_groups;
  sum.resident.slm.count += counts.resident.slm.count;
  sum.work_groups_partial += counts.work_groups_partial;
  sum.cores_busy += counts.cores_busy > 0 ? 1 : 0;
}

CorePoint point_of(std::size_t device, SimTime time, const Residency& held) {
  return {time,
          static_cast<CoreId>(device),
          {static_cast<std::uint32_t>(held.threads), static_cast<std::uint32_t>(held.running),
           static_cast<std::uint32_t>(held.work_groups), held.slm}};
}

/// All devices as one, each in the place of a core.
class Together {
 public:
  explicit Together(const DevicesOnPage& page) : page_(page) {
    merge_timelines();
    view_.title = page.title;
    view_.device = models();
    view_.terms = page.devices.front().second.terms;
    view_.terms.core = "device";
    view_.cores = static_cast<std::uint32_t>(page.devices.size());
    view_.record = page.all;
    view_.record.phases = {};
    view_.timeline = timeline_;
    view_.core_points = points_;
    view_.scenario = page.devices.front().second.scenario;
    view_.changes = page.devices.front().second.changes;
    for (const auto& device : page.devices) {
      view_.core_names.push_back(device.first);
      view_.record.contexts_per_core = std::max(view_.record.contexts_per_core, device.second.record.contexts_total);
      for (const std::string& note : device.second.notes)
        if (std::find(view_.notes.begin(), view_.notes.end(), note) == view_.notes.end()) view_.notes.push_back(note);
    }
    add_launches();
  }

  const RunView& view() const { return view_; }
  /// Lanes of queues and copies, device by device.
  const LaunchLanes& lanes() const { return lanes_; }

 private:
  /// `8 devices: NVIDIA H100 SXM`
  std::string models() const {
    std::vector<std::string> names;
    for (const auto& device : page_.devices)
      if (std::find(names.begin(), names.end(), device.second.device) == names.end())
        names.push_back(device.second.device);
    std::string text = fmt::format("{} devices: ", page_.devices.size());
    for (std::size_t i = 0; i < names.size(); ++i) text += (i > 0 ? ", " : "") + names[i];
    return text;
  }

  void merge_timelines() {
    struct Step {
      SimTime time;
      std::size_t device;
      const DeviceCounts* counts;
    };
    std::vector<Step> steps;
    for (std::size_t i = 0; i < page_.devices.size(); ++i)
      for (const TimelinePoint& point : page_.devices[i].second.timeline)
        steps.push_back({point.time, i, &point.counts});
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.time < b.time; });
    std::vector<DeviceCounts> now(page_.devices.size());
    for (std::size_t i = 0; i < now.size(); ++i) points_.push_back(point_of(i, page_.all.first_dispatch, {}));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      now[steps[i].device] = *steps[i].counts;
      points_.push_back(point_of(steps[i].device, steps[i].time, steps[i].counts->resident));
      if (i + 1 < steps.size() && steps[i + 1].time == steps[i].time) continue;
      DeviceCounts sum;
      for (const DeviceCounts& counts : now) add(sum, counts);
      timeline_.push_back({steps[i].time, sum});
    }
  }

  /// Launch ids are those of the whole scenario: each launch is taken from the device that it runs on.
  void add_launches() {
    std::vector<std::vector<std::string>> by_device(page_.devices.size());
    for (std::size_t i = 0; i < page_.all.launches.size(); ++i) {
      const auto owner = std::find_if(page_.devices.begin(), page_.devices.end(),
                                      [i](const auto& device) { return !device.second.launches[i].is_remote; });
      const std::size_t device =
          owner == page_.devices.end() ? 0 : static_cast<std::size_t>(owner - page_.devices.begin());
      const LaunchRow& row = page_.devices[device].second.launches[i];
      const std::string lane = page_.devices[device].first + (row.is_without_kernel ? ", copies"
                                                              : row.queue.empty()   ? ""
                                                                                    : ", " + row.queue);
      std::vector<std::string>& own = by_device[device];
      if (std::find(own.begin(), own.end(), lane) == own.end()) own.push_back(lane);
      lanes_.of_launch.push_back(lane);
      view_.launches.push_back(row);
    }
    lanes_.collectives = page_.collectives;
    for (const auto& own : by_device) lanes_.order.insert(lanes_.order.end(), own.begin(), own.end());
  }

  const DevicesOnPage& page_;
  Timeline timeline_;
  ChangePoints<CorePoint> points_;
  LaunchLanes lanes_;
  RunView view_;
};

std::string device_table(const DevicesOnPage& page) {
  HtmlTable table("Devices",
                  {"device", "model", "launches", "busy", "mean occupancy", "waits for others", "links busy",
                   "sent over links", "of their rate", "finding"},
                  2, "devices");
  for (std::size_t i = 0; i < page.summaries.size(); ++i) {
    const DeviceSummary& device = page.summaries[i];
    Cell name(device.name);
    name.markup =
        "<a class=\"to-case\" href=\"" + case_address(page.pages[i]) + "\">" + markup_text(device.name) + "</a>";
    table.row({name, Cell(device.model), Cell(std::to_string(device.launches)), time_cell(device.busy),
               Cell(to_fixed(device.mean_occupancy, 1) + " %"), time_cell(device.waited_for_others),
               time_cell(device.links_busy), Cell(sent_words(device.bytes_sent)), share_cell(device.sent_percent, "–"),
               Cell(device.finding)});
  }
  return "<section id=\"devices-section\">\n<h2>Devices</h2>\n" + table.finish() +
         "<p class=\"note\">A device waits for others from the instant at which its part of a collective is resident "
         "to "
         "that at which all parts are.</p>\n</section>\n";
}

/// A lane for each device, of what it holds.
std::string device_lanes(const DevicesOnPage& page, const RunView& view) {
  if (view.cores > kMaxCoreLanes) return core_figures(view);
  std::string text = "<div class=\"lanes\">";
  for (std::size_t i = 0; i < page.devices.size(); ++i) {
    const auto& [name, device] = page.devices[i];
    const ThreadScale threads(view.record.contexts_per_core);
    HtmlPlot plot;
    plot.id = fmt::format("core-{}", i);
    plot.caption = name;
    plot.description = fmt::format("At most {} of {} contexts.", device.record.peak_resident, threads.capacity());
    plot.shapes = thread_plot(device_levels(device.timeline), TimeScale(view.record.first_dispatch, view.record.end),
                              threads, {kMaxSteps, kBinsInLanes});
    plot.height = threads.height();
    plot.pixels = 44;
    plot.series = plot.id;
    plot.left = {{threads.height() / 2, name}};
    plot.right = {{0, std::to_string(threads.capacity())}, {threads.height(), "0"}};
    if (i + 1 == page.devices.size()) plot.time = time_ticks(view);
    text += html_figure(plot);
  }
  return text + "</div>\n";
}

}  // namespace

std::string devices_body(const DevicesOnPage& page, std::size_t bytes_left) {
  const Together together(page);
  const RunView& view = together.view();
  std::string pictures = device_table(page);
  if (has_scripts(view)) {
    HtmlPlot all = device_plot(view);
    all.caption = "Occupancy of all devices";
    pictures += "<section aria-labelledby=\"over-time\">\n<h2 id=\"over-time\">Over time</h2>\n" + thread_legend(view) +
                html_figure(all) + device_lanes(page, view) + "</section>\n";
  }
  return body_of(view, {pictures, "", together.lanes()}, bytes_left);
}

}  // namespace gdsim
