#pragma once

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// A scenario with one thing changed. The changed run shows the cost of that thing.
struct Counterfactual {
  std::string what;  ///< its name in tables: `no_tail`, `level_unlimited:HBM`
  Scenario scenario;
  /// The subject, with the numbers of the baseline run: `Tail: 1 of 529 blocks is left over for the last wave`. A
  /// sentence on the saving follows.
  std::string subject;
  std::string how = "without that";  ///< the condition of the changed run: `longest first`
  std::string artefact = {};         ///< why it takes longer only in the simulation; empty: not an artefact
  std::size_t device = 0;            ///< among several devices, the one of `subject`
};

/// Returns every change that has an effect on this scenario, in a fixed order. `baseline` is the unchanged run.
///
/// `no_tail` removes the last, partial wave of a kernel's work-groups and spreads its work over the others. An
/// unlimited resource that must have a rate gets 100,000 times its rate, or the maximum of any device. Barriers are
/// removed from programs; unlimited accesses to SLM are removed except for their latency. Equal work-groups do the mean
/// work, over factors and programs of their own. At most twelve accesses to L1 with `coalesced` lines are tried per
/// kernel, those whose lines fall most. Sizes of work-groups and sub-groups, and the register mode, are changed for the
/// kernel whose launch lasted longest; at most six sizes are tried.
std::vector<Counterfactual> counterfactuals(const Scenario& scenario, const RunRecord& baseline);

/// Returns the scenario with all changes of these names at once, or nullopt if none of them has an effect.
std::optional<Scenario> changed_scenario(const Scenario& scenario, const RunRecord& baseline,
                                         const std::vector<std::string>& names);

/// Whether values that the model assumes are tried with others.
enum class Alternatives : std::uint8_t { not_tried, tried };

/// Returns what decides the duration of a completed run of one device: of findings_of(), the first that a run without
/// its cause confirms, by at least 2 % of the duration; and the values of the model that are assumed, with which the
/// duration differs by more than 2 %. If one of them decides more than a fifth, the finding is that assumption, unless
/// the run is at a peak. Of more than 200,000 work-groups, nothing is run again, and no limiter is named; of more than
/// 50,000, no other value is tried.
Answer answer_of(const Scenario& scenario, const RunReport& report, const RunOptions& options,
                 Alternatives alternatives = Alternatives::tried);

/// The unchanged run, and the use of time by its threads.
class Baseline {
 public:
  /// Both arguments must outlive this.
  Baseline(const Scenario& scenario, const RunRecord& record);

  const Scenario& scenario() const { return scenario_; }
  const RunRecord& record() const { return record_; }
  const Terms& terms() const { return scenario_.device.terms; }

  /// Returns the share of their time that threads spend on `kind`.
  Ratio share(Activity kind) const;
  /// `Barriers: threads wait 17.0 % of their time at barriers`
  std::string wait_words(const std::string& name, Activity kind, const std::string& where) const;

 private:
  const Scenario& scenario_;
  const RunRecord& record_;
  TimeUse use_;  ///< of all cores; collectives' waits for other devices are not counted as barriers
  Int128 all_;   ///< with that
};

/// Words for a change. Converts from the subject, which is enough for most changes.
struct ChangeWords {
  ChangeWords(std::string about) : subject(std::move(about)) {}  // implicit: it stands for the words
  ChangeWords(std::string about, std::string changed_how, std::string why_slower = {})
      : subject(std::move(about)), how(std::move(changed_how)), artefact(std::move(why_slower)) {}

  /// The subject, with the numbers of the unchanged run: `Registers: 3 blocks of k fit on one SM`.
  std::string subject;
  /// The condition of the changed run: `longest first`.
  std::string how = "without that";
  /// A sentence on why the changed run takes longer only in the simulation; empty: if it does, it has real reasons.
  std::string artefact = {};
};

/// Who could make a change: a programmer, or no one.
enum class ChangeList : std::uint8_t {
  change,  ///< sizes, registers, SLM, programs, order, graphs, streams
  bound    ///< what the hardware gives: bandwidths, rates, rules of dispatch
};

/// Returns the list of a change by its name in tables.
ChangeList list_of(std::string_view what);

/// One thing that can be changed in a scenario.
struct CounterfactualChange {
  std::string what;  ///< its name in tables
  /// Changes `changed`, a copy of the unchanged scenario, and returns the words for it. Returns nullopt if there is
  /// nothing to change; then `changed` is unspecified.
  std::function<std::optional<ChangeWords>(const Baseline& run, Scenario& changed)> make;
};

// Every change that counterfactuals() knows, as CounterfactualChange::make.

// Changes of the work: counterfactual_work.cpp
std::optional<ChangeWords> spread_tails(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_dependencies(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_start_times(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> equalize_work_groups(const Baseline& run, Scenario& changed);
/// Applies to launched kernels: counterfactual_order.cpp
std::optional<ChangeWords> take_tiles_on_demand(const Baseline& run, Scenario& changed);
/// Assigns the written factors and durations to other work-groups: counterfactual_order.cpp
std::optional<ChangeWords> dispatch_longest_first(const Baseline& run, Scenario& changed);

// Changes of programs.
std::optional<ChangeWords> remove_barriers(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> give_own_issue_slots(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_slm_conflicts(const Baseline& run, Scenario& changed);
/// Also gives threads their own pipe of L1, because it is the same pipe.
std::optional<ChangeWords> give_own_slm_banks(const Baseline& run, Scenario& changed);
/// Makes neighboring work-items access neighboring addresses.
std::optional<ChangeWords> coalesce_accesses(const Baseline& run, Scenario& changed, const ScatteredAccess& access);
/// Coalesces all accesses together, for instance those of an unrolled loop. Returns nullopt if there are fewer than
/// two.
std::optional<ChangeWords> coalesce_all_accesses(const Baseline& run, Scenario& changed);

// Changes of the memory: counterfactual_memory.cpp
std::optional<ChangeWords> raise_memory_limits(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> raise_bytes_in_flight(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> raise_atomic_rates(const Baseline& run, Scenario& changed);
/// Raises only the bandwidth of the level at this position.
std::optional<ChangeWords> raise_level_bandwidth(const Baseline& run, Scenario& changed, std::size_t level);

// Changes of the limits on resident work-groups.
std::optional<ChangeWords> remove_register_limits(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_slm_allocation(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_slots(const Baseline& run, Scenario& changed);

// Changes of the costs of dispatch and of launches.
std::optional<ChangeWords> dispatch_at_once(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_launch_overheads(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_recovery(const Baseline& run, Scenario& changed);
/// Applies if saving and restoring contexts took time.
std::optional<ChangeWords> switch_at_no_cost(const Baseline& run, Scenario& changed);

/// Applies if the clock changes during the run.
std::optional<ChangeWords> keep_first_clock(const Baseline& run, Scenario& changed);

// Changes of queues.
/// Applies if a launch waited for the start of another.
std::optional<ChangeWords> start_in_any_order(const Baseline& run, Scenario& changed);
/// Makes queues of several launches graphs, where that saves the host or the device time.
std::optional<ChangeWords> submit_as_graphs(const Baseline& run, Scenario& changed);

// Changes of the placement of work-groups.
std::optional<ChangeWords> place_whole_work_groups(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> remove_ports(const Baseline& run, Scenario& changed);
std::optional<ChangeWords> change_placement(const Baseline& run, Scenario& changed, const std::string& placement);
/// Explains why work-groups without their barrier or SLM take longer: they keep their ports. Empty if they do not.
std::string port_artefact(const Scenario& scenario, const Scenario& changed);

// Changes of the sizes of one kernel: counterfactual_sizes.cpp
/// Returns other possible work-group sizes of the kernel: halves, doubles, and those whose threads fill a core; at most
/// six, ascending. Empty if the contents of a work-group would not scale with its size.
std::vector<std::uint64_t> other_work_group_sizes(const Kernel& kernel, const DeviceSpec& device);
std::optional<ChangeWords> change_work_group_size(const Baseline& run, Scenario& changed, KernelId kernel,
                                                  std::uint64_t size);
/// Scales the work of a thread, and its reads, with its width.
std::optional<ChangeWords> change_sub_group_size(const Baseline& run, Scenario& changed, KernelId kernel,
                                                 std::uint32_t size);
std::optional<ChangeWords> change_grf_mode(const Baseline& run, Scenario& changed, KernelId kernel);

/// Returns every change that has an effect on a scenario of several devices: each of counterfactuals(), at once on all
/// devices where it has an effect, by each device's unchanged run; and changes of the connections between devices:
///
/// `links_unlimited`: 100,000 times the bandwidth, and no latency. `collectives_free`: collectives exchange nothing,
/// and their parts wait for no other device. All other changes leave parts of collectives unchanged. Graphs are not
/// tried, because a graph is of one device.
std::vector<Counterfactual> counterfactuals_of_devices(const Scenario& scenario, const EnsembleResult& baseline);

}  // namespace gdsim
