#include <gdsim/check/check_signals.hpp>

#include <gdsim/base/printable.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace gdsim {
namespace {

/// Checks the steps of a program in the order of writing.
class SignalCheck {
 public:
  explicit SignalCheck(const Program& program) {
    for_each_step(program, [&](const Step& step) {
      if (const auto* signal = std::get_if<Signal>(&step); signal != nullptr && signal->index)
        signalled_.insert(signal->name);
    });
  }

  void check(const Program& program, const std::string& field) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::string at = item_path(field, i);
      if (const auto* signal = std::get_if<Signal>(&program[i])) check(*signal, at + ".signal");
      if (const auto* wait = std::get_if<Wait>(&program[i])) check(*wait, at + ".wait");
      if (const auto* loop = std::get_if<Loop>(&program[i])) check(loop->body, at + ".loop.body");
      if (const auto* only = std::get_if<Only>(&program[i])) check(only->body, at + ".only.body");
      if (const auto* tiles = std::get_if<Tiles>(&program[i])) check(tiles->body, at + ".tiles.body");
    }
  }

  Issues take() { return std::move(found_); }

 private:
  void check(const Signal& signal, const std::string& at) {
    if (signal.index || signal.initially == 0) return;
    const auto [known, is_new] = initially_.try_emplace(signal.name, signal.initially);
    if (!is_new && known->second != signal.initially)
      found_.push_back({at + ".initially", "lets " + std::to_string(signal.initially) + " waits for " +
                                               in_quotes(signal.name) + " pass, an earlier signal " +
                                               std::to_string(known->second) +
                                               "; write the same number, or leave it out here"});
  }
  void check(const Wait& wait, const std::string& at) {
    if (wait.index && !signalled_.contains(wait.name))
      found_.push_back({at, "no step of the kernel signals the flag " + in_quotes(wait.name) +
                                " of the launch; add one, as in `- signal: {name: " + printable(wait.name) +
                                ", scope: launch, index: = group}`"});
  }

  std::set<std::string> signalled_;                 ///< flags of the launch, by name
  std::map<std::string, std::uint64_t> initially_;  ///< by name of the signal
  Issues found_;
};

}  // namespace

Issues check_signals(const Program& program) {
  SignalCheck check(program);
  check.check(program, "program");
  return check.take();
}

std::string fault_of_multicast(std::uint64_t multicast, std::uint64_t cluster) {
  return "serves " + std::to_string(multicast) + " work-groups of a cluster, but " +
         (cluster == 1 ? "the kernel has no `cluster`" : "the kernel's cluster has " + std::to_string(cluster)) +
         "; write `cluster: " + std::to_string(multicast) + "`";
}

}  // namespace gdsim
