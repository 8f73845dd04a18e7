#include <gdsim/points/launch_figure.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

/// Returns true if the figure is about this launch: `k` names `k`, `k#2`, `k#3`.
bool is_about(const LaunchFigure& figure, const std::string& launch) {
  if (figure.launch.empty() || launch == figure.launch) return true;
  return launch.starts_with(figure.launch + "#") && figure.launch.find('#') == std::string::npos;
}

OptionalDuration time_of_launch(const LaunchFigure& figure, const LaunchRecord& record) {
  if (figure.time == LaunchFigure::Time::duration) return record.duration();
  if (!record.submitted || !record.first_dispatched) return {};
  return *record.first_dispatched - *record.submitted;
}

[[noreturn]] void fail_unknown_launch(const LaunchFigure& figure, const std::vector<std::string>& names) {
  constexpr std::size_t few = 12;
  std::string known;
  for (std::size_t i = 0; i < std::min(few, names.size()); ++i) known += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > few) known += ", ...";
  throw InputError("--of: there is no launch '" + printable(figure.launch) + "'; launches: " + known);
}

/// Takes the last part behind a colon if it is one of these words.
template <class Value>
void take_word(std::string& text, std::initializer_list<std::pair<const char*, Value>> words, Value& value) {
  for (const auto& [word, meaning] : words)
    if (text.ends_with(std::string(":") + word)) {
      text.resize(text.size() - std::string(word).size() - 1);
      value = meaning;
      return;
    }
}

/// The time below which this percentage of the launches are, one of them included.
Duration percentile(std::vector<Duration> times, std::size_t percent) {
  std::sort(times.begin(), times.end());
  const std::size_t rank = (times.size() * percent + 99) / 100;
  return times[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

LaunchFigure parse_launch_figure(const std::string& text) {
  LaunchFigure figure;
  figure.launch = text;
  using Of = LaunchFigure::Of;
  using Time = LaunchFigure::Time;
  take_word<Of>(figure.launch, {{"mean", Of::mean}, {"p50", Of::p50}, {"p99", Of::p99}}, figure.of);
  take_word<Time>(figure.launch, {{"duration", Time::duration}, {"wait", Time::wait}}, figure.time);
  if (figure.launch.empty() || figure.launch.find(':') != std::string::npos)
    throw InputError("--of is '" + printable(text) +
                     "'; allowed: LAUNCH[:duration|:wait][:mean|:p50|:p99], as in req3:wait:p99");
  return figure;
}

Duration time_of(const LaunchFigure& figure, const Scenario& scenario, const RunRecord& record) {
  // Each device lists the launches of all; children, which come last, belong to one, and several have no record of them.
  const std::vector<Launch>& launches = devices_of(scenario).front().workload.launches;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < record.launches.size(); ++i) names.push_back(launches[i].name);
  return time_of(figure, names, record.launches);
}

std::string to_text(const LaunchFigure& figure) {
  const std::string time = figure.time == LaunchFigure::Time::wait ? ":wait" : ":duration";
  const std::string of = figure.of == LaunchFigure::Of::p50   ? ":p50"
                         : figure.of == LaunchFigure::Of::p99 ? ":p99"
                                                              : ":mean";
  return figure.launch + time + of;
}

Duration time_of(const LaunchFigure& figure, const std::vector<std::string>& names,
                 const std::vector<LaunchRecord>& launches) {
  std::vector<Duration> times;
  bool is_known = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_about(figure, names[i])) continue;
    is_known = true;
    if (const OptionalDuration time = time_of_launch(figure, launches[i])) times.push_back(*time);
  }
  if (!is_known) fail_unknown_launch(figure, names);
  if (times.empty()) return {};
  if (figure.of == LaunchFigure::Of::p50) return percentile(std::move(times), 50);
  if (figure.of == LaunchFigure::Of::p99) return percentile(std::move(times), 99);
  Duration sum;
  for (const Duration time : times) sum = sum + time;
  return figure.of == LaunchFigure::Of::sum ? sum : Duration{sum.count / static_cast<std::int64_t>(times.size())};
}

std::string words_for(const std::optional<LaunchFigure>& figure) {
  if (!figure) return "the run takes";
  if (figure->of == LaunchFigure::Of::sum) return "all launches together take";
  const std::string verb = figure->time == LaunchFigure::Time::wait ? " waits" : " takes";
  if (figure->of == LaunchFigure::Of::p50) return "the median of " + figure->launch + verb;
  if (figure->of == LaunchFigure::Of::p99) return "the 99th percentile of " + figure->launch + verb;
  return figure->launch + verb;
}

std::optional<LaunchFigure> figure_of_pinned_launches(const Workload& workload) {
  std::size_t kernels = 0;
  std::size_t pinned = 0;
  for (const Launch& launch : workload.launches) {
    if (!launch.is_kernel() || launch.parent() != nullptr) continue;
    ++kernels;
    pinned += launch.at > SimTime{} ? 1 : 0;
  }
  if (kernels < 2 || pinned + 1 < kernels) return std::nullopt;
  return LaunchFigure{{}, LaunchFigure::Time::duration, LaunchFigure::Of::sum};
}

}  // namespace gdsim
