#include "support/builders.hpp"

#include <gdsim/dispatch/choice/choosers.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A chooser of launches 0, 1, ..., of the kernels 0, 1, 0, 1, ..., all ready at 0.
struct ChooserBench {
  Workload workload;
  DispatchRules rules;
  CoreSelections cores;
  std::unique_ptr<KernelChooser> chooser;

  explicit ChooserBench(KernelChoice choice, std::size_t launches = 4, std::vector<std::uint32_t> priorities = {})
      : workload(workload_of({kernel_of(9, 1, {compute(ps(1))}), kernel_of(9, 1, {compute(ps(1))})})),
        rules{"fill_first", Admission::whole, {}, Handover::never, choice},
        cores((prepare(launches, priorities), workload), 2),
        chooser(make_kernel_chooser(rules, workload, cores)) {
    for (std::uint32_t i = 0; i < launches; ++i)
      if (priorities.empty() || priorities[i] == 0) chooser->arrive(launch(i), at(us(0)));
    chooser->begin_visit();
  }

  void prepare(std::size_t launches, const std::vector<std::uint32_t>& priorities) {
    workload.launches.resize(launches);
    for (std::uint32_t i = 0; i < launches; ++i) {
      workload.launches[i].work = KernelId{i % 2};
      workload.launches[i].as_kernel().priority = priorities.empty() ? 0 : priorities[i];
    }
  }
  std::optional<LaunchId> next(MayBegin may_begin = MayBegin::yes) { return chooser->next(may_begin); }
};

}  // namespace

TEST_CASE("head_only: only the head is chosen, also while it is blocked") {
  ChooserBench bench(KernelChoice::head_only);
  CHECK(bench.next() == launch(0));
  bench.chooser->on_placed(launch(0), 1);
  CHECK(bench.next() == launch(0));
  bench.chooser->on_blocked(launch(0));
  CHECK(bench.next() == std::nullopt);
  bench.chooser->begin_visit();
  CHECK(bench.next() == launch(0));
  CHECK_FALSE(bench.chooser->on_exhausted(launch(0), false));
  CHECK(bench.next() == std::nullopt);
  bench.chooser->begin_visit();
  CHECK(bench.chooser->on_exhausted(launch(0), true));
  CHECK(bench.next() == launch(1));
}

TEST_CASE("skip_blocked: a blocked launch is skipped with later ones of its kernel, not with others") {
  ChooserBench bench(KernelChoice::skip_blocked);
  CHECK(bench.next() == launch(0));
  bench.chooser->on_blocked(launch(0));
  CHECK(bench.next() == launch(1));
  CHECK(bench.chooser->on_exhausted(launch(1), false));
  CHECK(bench.next() == launch(3));
  bench.chooser->on_blocked(launch(3));
  CHECK(bench.next() == std::nullopt);
  bench.chooser->begin_visit();
  CHECK(bench.next() == launch(0));
  CHECK(bench.chooser->on_exhausted(launch(0), true));
  CHECK(bench.next() == launch(2));
}

TEST_CASE("skip_blocked: launches of one kernel on other cores are not blocked with it") {
  ChooserBench bench(KernelChoice::skip_blocked, 3);
  bench.workload.launches[2].as_kernel().cores = {{core(1), core(1)}};
  bench.cores = CoreSelections(bench.workload, 2);
  bench.chooser = make_kernel_chooser(bench.rules, bench.workload, bench.cores);
  for (const std::uint32_t i : {0U, 2U}) bench.chooser->arrive(launch(i), at(us(0)));
  bench.chooser->begin_visit();
  bench.chooser->on_blocked(launch(0));
  CHECK(bench.next() == launch(2));
}

TEST_CASE("round_robin: each places one in turn, the position persists") {
  ChooserBench bench(KernelChoice::round_robin);
  for (const std::uint32_t expected : {0U, 1U, 2U, 3U, 0U, 1U}) {
    CHECK(bench.next() == launch(expected));
    bench.chooser->on_placed(launch(expected), 1);
  }
  bench.chooser->begin_visit();
  CHECK(bench.next() == launch(2));
  bench.chooser->on_blocked(launch(2));  // and 0 with it
  CHECK(bench.next() == launch(3));
  bench.chooser->on_placed(launch(3), 1);
  CHECK(bench.next() == launch(1));
  bench.chooser->on_exhausted(launch(1), true);
  CHECK(bench.next() == launch(3));
}

TEST_CASE("priority: a higher launch goes before one that has begun, which continues after it") {
  ChooserBench bench(KernelChoice::priority, 4, {0, 0, 7, 3});
  CHECK(bench.next() == launch(0));
  bench.chooser->on_placed(launch(0), 1);
  bench.chooser->arrive(launch(3), at(us(1)));
  CHECK(bench.next() == launch(3));
  bench.chooser->arrive(launch(2), at(us(1)));
  CHECK(bench.next() == launch(2));
  bench.chooser->on_blocked(launch(2));
  CHECK(bench.next() == std::nullopt);  // strict: a lower launch does not use what a higher one cannot
  bench.chooser->begin_visit();
  CHECK(bench.chooser->on_exhausted(launch(2), true));
  CHECK(bench.chooser->on_exhausted(launch(3), true));
  CHECK(bench.next() == launch(0));
}

TEST_CASE("while none may begin, only one that has begun is chosen") {
  for (const KernelChoice choice : {KernelChoice::head_only, KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    ChooserBench bench(choice);
    CHECK(bench.next(MayBegin::no) == std::nullopt);
    bench.chooser->on_placed(launch(0), 1);
    CHECK(bench.next(MayBegin::no) == launch(0));
    bench.chooser->on_exhausted(launch(0), true);
    CHECK(bench.next(MayBegin::no) == std::nullopt);
  }
  ChooserBench bench(KernelChoice::priority, 2, {0, 1});
  bench.chooser->on_placed(launch(0), 1);
  bench.chooser->arrive(launch(1), at(us(1)));
  CHECK(bench.next(MayBegin::no) == launch(0));
}
