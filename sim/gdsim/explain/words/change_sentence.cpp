#include <gdsim/explain/words/change_sentence.hpp>

#include <gdsim/explain/without_tail.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

/// `the run takes 10 us, 49.9 % less`
std::string length_clause(const ChangedRun& run, const std::string& what_takes) {
  if (run.saves == 0) return what_takes + " as long";
  return fmt::format("{} {}, {} {}", what_takes, to_rounded_text(run.duration), saving_text(run.saves),
                     run.saves > 0 ? "less" : "more");
}

std::string outcome_clause(const ChangedRun& run, const Counterfactual& counterfactual, const std::string& what_takes) {
  if (run.saves == 0) return length_clause(run, what_takes) + " " + counterfactual.how;
  return counterfactual.how + " " + length_clause(run, what_takes);
}

/// `Tail: 1 of 529 blocks of k is left over for the last wave, at a cost of 49.9 %; with 528 the run takes 10.019 us,
/// all work spread over them.`, or that it would not help to spread its work.
std::string tail_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                          const std::string& what_takes) {
  if (run.saves <= 0)
    return counterfactual.subject +
           "; to spread the work of that wave would not help: " + length_clause(run, what_takes) + ".";
  std::string text = counterfactual.subject + ", at a cost of " + saving_text(run.saves);
  if (scenario.workload.kernels.size() > 1) return text + "; " + outcome_clause(run, counterfactual, what_takes) + ".";
  const Kernel& kernel = scenario.workload.kernels.front();
  const auto tail = tail_of(kernel, scenario.device);
  if (tail)
    text += fmt::format("; with {} {} {}, all work spread over them", tail->work_groups - tail->left_over, what_takes,
                        to_rounded_text(run.duration));
  return text + ".";
}

}  // namespace

std::string change_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                            const std::string& what_takes, bool is_fuller, const std::optional<std::string>& caveat) {
  std::string text = run.what == "no_tail"
                         ? tail_sentence(run, counterfactual, scenario, what_takes)
                         : counterfactual.subject + "; " + outcome_clause(run, counterfactual, what_takes) + ".";
  if (!run.artefact.empty()) text += " " + run.artefact;
  if (run.saves < 0 && run.artefact.empty() && is_fuller)
    text += " More " + scenario.device.terms.thread + "s are resident at once then, and share the same resources.";
  if (run.is_at_peak)
    text += " The duration is limited to the device's peak arithmetic, which the changed run alone would exceed.";
  if (caveat) text += " " + *caveat;
  return text;
}

}  // namespace gdsim
