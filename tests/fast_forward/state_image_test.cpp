#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/fast_forward/state_image.hpp>
#include <gdsim/fast_forward/totals_reader.hpp>
#include <gdsim/model/visit_model.hpp>
#include <gdsim/run/drive.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

// Whatever is visited of a model's state is seen in its image, or in its accumulators.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Changes one of the fields that it visits.
class Perturber : public StateVisitor {
 public:
  explicit Perturber(std::size_t field) : field_(field) {}
  /// There was such a field.
  bool has_changed() const { return has_changed_; }

  void instant(SimTime& time) override {
    if (is_it()) ++time.count;
  }
  void dispatched(LaunchId, std::uint64_t& count, std::uint64_t&) override {
    if (is_it()) ++count;
  }
  void counted(LaunchId, std::uint64_t& count) override {
    if (is_it()) ++count;
  }
  void ordinal(LaunchId, std::uint64_t& number) override {
    if (is_it()) ++number;
  }
  void phases(LaunchId, std::uint64_t& count) override {
    if (is_it()) ++count;
  }
  void iterations(LaunchId, std::span<std::uint64_t> done, std::span<const std::uint64_t>, std::uint64_t) override {
    for (std::uint64_t& one : done)
      if (is_it()) ++one;
  }
  bool wants_totals() const override { return true; }
  void total(Int128& sum) override {
    if (is_it()) ++sum;
  }
  void integral(TimeIntegral& integral) override {
    if (is_it()) integral.fast_forward({}, 1);
  }

 private:
  void on_plain(std::uint64_t& word) override {
    if (is_it()) word ^= 1;
  }
  void on_shape(std::uint64_t) override {}
  bool is_it() {
    if (next_++ != field_) return false;
    has_changed_ = true;
    return true;
  }

  std::size_t field_;
  std::size_t next_ = 0;
  bool has_changed_ = false;
};

/// All that is seen of a state.
struct Seen {
  StateImage image;
  std::vector<Int128> totals;

  explicit Seen(Model& model) {
    ImageVisitor visitor(model.now(), image);
    REQUIRE(visit_model(model.state(), visitor));
    TotalsReader reader(model.now());
    visit_model(model.state(), reader);
    totals = reader.take();
  }

  friend bool operator==(const Seen& a, const Seen& b) {
    const auto are_same_phases = [](const auto& x, const auto& y) { return x.count == y.count; };
    const auto are_same_loops = [](const auto& x, const auto& y) { return x.done == y.done; };
    return a.image.words == b.image.words && a.image.dispatched == b.image.dispatched && a.totals == b.totals &&
           std::equal(a.image.phases.begin(), a.image.phases.end(), b.image.phases.begin(), b.image.phases.end(),
                      are_same_phases) &&
           std::equal(a.image.loops.begin(), a.image.loops.end(), b.image.loops.begin(), b.image.loops.end(),
                      are_same_loops);
  }
};

/// A run with all that has a state: barriers, split ones, loops, shared resources, partial work-groups, held contexts.
const char* const kEverything = R"(scenario: everything
device:
  base: tiny
  cores: 2
  clock: 1 GHz
  memory: {levels: [{name: DRAM, bandwidth: 8 GB/s}]}
  slm_access: {banks: 16, bank_width: 4 B}
dispatch: {placement: round_robin, admission: partial}
kernels:
  looping:
    global: 400
    local: 5
    sub_group: 1
    variation: none  # so that soon every core has booked time: where it has not, there is no sum to change
    program:
      - issue: 3 cycles
      - loop: {count: 4, body: [compute: 2 ns, slm: {accesses: 2, stride: 2}, barrier]}
      - only: {threads: 0, body: [signal: a]}
      - wait: a
      - memory: 64 B
  plain: {global: 399, local: 3, sub_group: 1, program: [compute: 7 ns]}
launches: [kernel: looping, kernel: plain]
)";

}  // namespace

TEST_CASE("each field that is visited shows in the image of the state, or in its accumulators") {
  const ReadText text = read_text(kEverything);
  const Scenario& scenario = text.scenario();
  DeviceSpec device = scenario.device;
  device.dispatch = scenario.dispatch;
  for (const Release release : {Release::thread, Release::work_group})
    for (const int instants :
         {6, 17, 60}) {  // after fewer, a kernel has spent no time on some core, and has no field there
      device.release = release;
      const Compiled ready = compiled(device, scenario.workload);
      std::size_t fields = 0;
      for (bool has_changed = true; has_changed; ++fields) {
        Model model(input_of(CompiledParts::of(ready)));
        for (int i = 0; i < instants; ++i) REQUIRE(model.next_instant());
        const Seen before(model);
        REQUIRE(Seen(model) == before);
        Perturber perturber(fields);
        visit_model(model.state(), perturber);
        has_changed = perturber.has_changed();
        INFO("field " << fields << " after " << instants << " instants");
        REQUIRE((Seen(model) == before) == !has_changed);
      }
      CHECK(fields > 150);
    }
}

TEST_CASE("a state that was fast-forwarded is that of a model that went through every instant") {
  const Workload workload = workload_of({kernel_of(100'000, 3, {compute(ps(7)), barrier()})});
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.dispatch.admission = Admission::partial; });
  const Compiled ready = compiled(device, workload);
  RunControl control;
  control.bounds.time = at(ps(100'000));
  Model forwarded(input_of(CompiledParts::of(ready)));
  drive(forwarded, {}, control);
  control.fast_forward = FastForward::no;
  Model plain(input_of(CompiledParts::of(ready)));
  drive(plain, {}, control);
  CHECK(forwarded.events() < plain.events() / 10);
  REQUIRE(forwarded.now() == plain.now());
  CHECK(Seen(forwarded) == Seen(plain));
}
