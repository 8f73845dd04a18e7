#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/fast_forward/state_words.hpp>
#include <gdsim/record/segment.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The state of a model in a form that can recur. Its words hold times relative to `time`, and work-group numbers
/// relative to the next one of their launch. Values that may grow from one recurrence to the next are separate members.
struct StateImage {
  /// The iterations of the loops around a cohort.
  struct Loops {
    static constexpr std::size_t kDepths = 4;

    LaunchId launch{};
    std::uint64_t key = 0;
    std::array<std::uint64_t, kDepths> done{};
    std::array<std::uint64_t, kDepths> counts{};
  };
  struct Phases {
    LaunchId launch{};
    std::uint64_t count = 0;
  };

  SimTime time;
  GroupCounts dispatched;  ///< the dispatched work-groups of the present launches, by launch
  StateWords words;        ///< the fingerprint
  std::vector<Phases> phases;
  std::vector<Loops> loops;

  void clear(SimTime now);
};

/// Fills in a StateImage.
class ImageVisitor : public StateVisitor {
 public:
  ImageVisitor(SimTime now, StateImage& image);

  void instant(SimTime& time) override { image_.words.add((image_.time - time).count); }
  void dispatched(LaunchId launch, std::uint64_t& count, std::uint64_t& number) override;
  void counted(LaunchId launch, std::uint64_t& count) override;
  void ordinal(LaunchId launch, std::uint64_t& number) override;
  void phases(LaunchId launch, std::uint64_t& count) override { image_.phases.push_back({launch, count}); }
  void iterations(LaunchId launch, std::span<std::uint64_t> done, std::span<const std::uint64_t> counts,
                  std::uint64_t key) override;
  bool wants_totals() const override { return false; }
  void total(Int128&) override {}
  void integral(TimeIntegral& integral) override { image_.words.add(integral.level()); }

 private:
  void on_plain(std::uint64_t& word) override { image_.words.add(word); }
  void on_shape(std::uint64_t word) override { image_.words.add(word); }

  StateImage& image_;
};

/// The recurrence of a state: moved in time, in the work-groups of each launch, and in iterations of loops.
struct Period {
  Shift shift;
  std::vector<std::uint64_t> phases;  ///< the growth of each count, in the order of the image
  std::vector<std::array<std::uint64_t, StateImage::Loops::kDepths>> iterations;  ///< the growth, by cohort
  std::uint64_t max_repetitions = 0;                                              ///< before a loop ends

  bool moves_groups() const;
};

/// Returns true if the state moves equally in both periods. max_repetitions may differ.
inline bool moves_alike(const Period& a, const Period& b) {
  return a.shift.time == b.shift.time && a.shift.work_groups == b.shift.work_groups && a.phases == b.phases &&
         a.iterations == b.iterations;
}

/// Returns the period from `then` to `now`, or nullopt if the state has not recurred.
std::optional<Period> period_between(const StateImage& then, const StateImage& now);

}  // namespace gdsim
