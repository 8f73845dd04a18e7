#pragma once

#include <gdsim/base/state_visitor.hpp>
#include <gdsim/fast_forward/state_words.hpp>
#include <gdsim/record/segment.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The state of a model as it can recur. Its words hold times by their distance from the image's, and work-groups by
/// theirs from the next one of their launch. What may grow from one recurrence to the next is separate.
struct StateImage {
  /// Iterations of the loops around a cohort.
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
  GroupCounts dispatched;  ///< of the launches that are present, by launch
  StateWords words;        ///< the fingerprint
  std::vector<Phases> phases;
  std::vector<Loops> loops;

  void clear(SimTime now);
};

/// Makes an image.
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
  std::vector<std::uint64_t> phases;  ///< by how much they grow, in the order of the image
  std::vector<std::array<std::uint64_t, StateImage::Loops::kDepths>> iterations;  ///< by how much they grow, by loop
  std::uint64_t max_repetitions = 0;                                              ///< how many more before a loop ends

  bool moves_groups() const;
};

/// Returns true if the state moves alike in both periods; a loop may end earlier in one.
inline bool moves_alike(const Period& a, const Period& b) {
  return a.shift.time == b.shift.time && a.shift.work_groups == b.shift.work_groups && a.phases == b.phases &&
         a.iterations == b.iterations;
}

/// Returns how the state `then` has recurred `now`, or nullopt if it has not.
std::optional<Period> period_between(const StateImage& then, const StateImage& now);

}  // namespace gdsim
