#include "support/builders.hpp"

#include <gdsim/run/internal_run_options.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

// Launches that request the same of a core share their request, which is evaluated once for all. Their waits, and
// everything else, are as if each request were evaluated by itself.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// fill_first without a description of its state: then every launch is evaluated by itself, and nothing is skipped.
struct Undescribed : Placement {};

RunResult run_of(const DeviceSpec& device, const Workload& workload, const char* placement, FastForward fast_forward) {
  PolicyCatalog policies = built_in_policies();
  policies.placements.push_back(
      {"undescribed", [](const DeviceSpec&) -> std::unique_ptr<Placement> { return std::make_unique<Undescribed>(); }});
  DispatchRules rules = device.dispatch;
  rules.placement = placement;
  InternalRunOptions options;
  options.fast_forward = fast_forward;
  options.keep_timeline = KeepTimeline::yes;
  return simulate(device, rules, workload, options, policies);
}

/// Up to 40 kernels of few sizes, that wait for threads, slots, SLM and ports.
Workload drawn_workload() {
  Workload workload;
  const auto kernels = *rc::gen::inRange(2, 40);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(kernels); ++i) {
    Kernel kernel = kernel_of(static_cast<std::uint64_t>(*rc::gen::inRange(1, 12)),
                              static_cast<std::uint64_t>(*rc::gen::element(1, 2, 3, 8)),
                              {compute(ns(*rc::gen::inRange(1, 6) * (i % 3 == 0 ? 1 : 7)))});
    kernel.name = "k" + std::to_string(i);
    kernel.needs.slm.total = Bytes{*rc::gen::element<std::int64_t>(0, 0, 1, 3) * 1024};
    workload.kernels.push_back(kernel);
    const auto launches = *rc::gen::element(1, 1, 1, 3);
    for (int again = 0; again < launches; ++again) {
      Launch launch{"", KernelId{i}, {}};
      launch.at = at(ns(*rc::gen::element(0, 0, 0, 5, 20)));
      workload.launches.push_back(launch);
    }
  }
  return workload;
}

DeviceSpec drawn_device() {
  DeviceSpec device = small_device();
  device.cores = static_cast<std::uint32_t>(*rc::gen::inRange(1, 4));
  device.work_groups_per_core = static_cast<std::uint32_t>(*rc::gen::inRange(1, 5));
  device.slm.per_core = device.slm.per_work_group = Bytes{4 << 10};
  device.release = *rc::gen::element(Release::thread, Release::work_group);
  device.dispatch.kernel_choice = *rc::gen::element(KernelChoice::round_robin, KernelChoice::skip_blocked);
  device.dispatch.admission = *rc::gen::element(Admission::whole, Admission::partial);
  if (*rc::gen::arbitrary<bool>()) device.dispatch.ports = 1;
  return device;
}

/// Why and for how long launches waited and contexts were free, and when everything happened.
std::string account_of(const RunResult& run) {
  std::string text = std::to_string(run.record.end.count) + "\n";
  for (const LaunchRecord& launch : run.record.launches) {
    text += std::to_string(launch.first_dispatched.value_or({}).count) + " " +
            std::to_string(launch.fully_dispatched.value_or({}).count) + " " +
            std::to_string(launch.ended.value_or({}).count);
    for (const WaitReason reason : kWaitReasons)
      if (launch.waited[reason].count != 0)
        text += " " + std::string(name_of(reason)) + " " + std::to_string(launch.waited[reason].count);
    text += "\n";
  }
  for (const IdleUse& idle : run.record.idle)
    text += std::to_string(index_of(idle.core)) + " " + std::to_string(idle.kernel ? index_of(*idle.kernel) : 99) +
            " " + std::string(idle.reason ? name_of(*idle.reason) : "none") + " " +
            std::to_string(static_cast<std::int64_t>(idle.context_time)) + "\n";
  for (const TimelinePoint& point : run.timeline)
    text += std::to_string(point.time.count) + " " + std::to_string(point.counts.resident.threads) + "\n";
  return text;
}

}  // namespace

TEST_CASE("launches that share a request wait as long, and for the same reasons, as if each were asked by itself") {
  rc::prop("the same accounts", [] {
    const DeviceSpec device = drawn_device();
    const Workload workload = drawn_workload();
    const std::string one_by_one = account_of(run_of(device, workload, "undescribed", FastForward::no));
    RC_ASSERT(account_of(run_of(device, workload, "fill_first", FastForward::no)) == one_by_one);
    RC_ASSERT(account_of(run_of(device, workload, "fill_first", FastForward::yes)) == one_by_one);
  });
}
