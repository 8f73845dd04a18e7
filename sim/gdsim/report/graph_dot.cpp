#include <gdsim/report/graph_dot.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <string>

namespace gdsim {
namespace {

/// Returns `text` in double quotes, escaped as DOT requires.
std::string dot_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result.push_back('\\');
    result.push_back(c);
  }
  return result + "\"";
}

std::string words_for(const Dependency& dependency, const Workload& workload) {
  const std::string buffer = dependency.buffer ? workload.buffers[index_of(*dependency.buffer)] : "";
  switch (dependency.cause) {
    case Cause::after: return "after";
    case Cause::queue: return "queue";
    case Cause::read_after_write: return buffer + ": read after write";
    case Cause::write_after_read: return buffer + ": write after read";
    case Cause::write_after_write: return buffer + ": write after write";
    case Cause::cooperative: return "cooperative order";
    case Cause::hardware_queue: return "hardware queue";
  }
  return {};
}

class DotText {
 public:
  explicit DotText(const RunReport& report)
      : workload_(report.workload),
        graph_(report.graph),
        record_(report.record),
        has_times_(!is_without_duration(report.workload)) {}

  std::string write(const std::string& name) {
    text_ = "digraph " + name + " {\n  rankdir=LR;\n  node [shape=box];\n";
    for (std::size_t i = 0; i < workload_.launches.size(); ++i) write_node(i);
    for (std::size_t i = 0; i < workload_.launches.size(); ++i) write_edges(i);
    return std::move(text_) + "}\n";
  }

 private:
  const std::string& name(LaunchId launch) const { return workload_.launches[index_of(launch)].name; }

  void write_node(std::size_t i) {
    const LaunchRecord& record = record_.launches[i];
    std::string label = dot_string(workload_.launches[i].name);
    if (has_times_ && record.first_dispatched && record.ended) {
      label.pop_back();
      label += "\\n" + to_text(*record.first_dispatched) + " to " + to_text(*record.ended) + "\"";
    }
    text_ += "  " + dot_string(workload_.launches[i].name) + " [label=" + label +
             (has_times_ && record.is_critical() ? ", style=bold" : "") + "];\n";
  }

  void write_edge(const std::string& from, const std::string& to, const std::string& label, const char* style) {
    text_ += "  " + dot_string(from) + " -> " + dot_string(to) + " [label=" + dot_string(label) + style + "];\n";
  }

  void write_edges(std::size_t i) {
    const Launch& launch = workload_.launches[i];
    for (const Dependency& dependency : graph_.predecessors[i])
      write_edge(name(dependency.before), launch.name,
                 words_for(dependency, workload_) + (dependency.until == Until::triggered ? ": trigger" : ""), "");
    if (const auto before = graph_.starts.before_of(static_cast<LaunchId>(i)))
      write_edge(name(*before), launch.name, "starts after", ", style=dashed");
    for (const LaunchId before : launch.host_waits)
      write_edge(name(before), launch.name, "host waits", ", style=dashed");
    if (const LaunchParent* parent = launch.parent())
      write_edge(name(parent->launch), launch.name, "child", ", style=dotted");
  }

  const Workload& workload_;
  const LaunchGraph& graph_;
  const RunRecord& record_;
  const bool has_times_;
  std::string text_;
};

}  // namespace

void write_graph_dot(const RunReport& report, Sink& sink) { sink.write(DotText(report).write("launches")); }

void write_graph_dot_of(const std::string& device, const RunReport& report, Sink& sink) {
  sink.write(DotText(report).write(dot_string(device)));
}

}  // namespace gdsim
