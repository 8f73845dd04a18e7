#pragma once

#include <gdsim/dispatch/kernel_chooser.hpp>

#include <map>
#include <set>
#include <utility>

namespace gdsim {

/// Ready launches place one work-group each in turn, by (ready time, order in the file), beginning behind the last that
/// placed one; who cannot is passed over. The place in the round persists across turns.
class RoundRobinChooser : public KernelChooser {
 public:
  RoundRobinChooser(const Workload& workload, const CoreSelections& cores, CoreSharing sharing);

  void arrive(LaunchId launch, Picoseconds ready) override;
  void begin_turn() override;
  std::optional<LaunchId> next(MayBegin may_begin) override;
  void placed(LaunchId launch) override;
  void blocked(LaunchId launch) override { groups_[group_of_[index_of(launch)]].blocked_in = turn_; }
  bool exhausted(LaunchId launch, bool filled) override;

 private:
  using Place = std::pair<Picoseconds, LaunchId>;
  /// Places, of which the next in the round is offered.
  struct Line {
    std::set<Place> places;
    std::optional<Place> offered;
  };
  /// Launches that are blocked together: they ask for the same. One that has begun is alone if cores that it holds are
  /// its own, for then it may have room where others have none.
  struct Group {
    Line unbegun;
    Line open;                     ///< begun, or children, which may always begin
    std::uint64_t blocked_in = 0;  ///< the turn
    std::uint64_t passed_in = 0;   ///< the turn
  };
  enum class Which : std::uint8_t { unbegun, open };
  struct Offer {
    std::uint32_t group = 0;
    Which line{};
    Group* of = nullptr;
  };
  using Offers = std::map<Place, Offer>;

  Place place_of(LaunchId launch) const { return {ready_[index_of(launch)], launch}; }
  Offers::iterator behind_last() { return last_ ? offers_.upper_bound(*last_) : offers_.begin(); }
  void insert(std::uint32_t group, Which line, const Place& place);
  void remove(LaunchId launch);
  void renew_offer(std::uint32_t number, Which which, Group& group);
  void pass(const Offer& offer);

  CoreSharing sharing_;
  std::vector<std::uint32_t> depths_;      ///< by launch
  std::vector<std::uint32_t> group_of_;    ///< by launch
  std::uint32_t kinds_;                    ///< numbers of groups below are of launches of one kind
  std::vector<Picoseconds> ready_;         ///< by launch
  std::map<std::uint32_t, Group> groups_;  ///< of which launches wait
  Offers offers_;  ///< of each line, at the beginning of a turn, the first place behind last_, going round
  Offers::iterator at_ = offers_.begin();  ///< those between last_ and here are of no use in this turn
  std::vector<std::uint32_t> passed_;      ///< groups that may have other offers in the next turn
  std::optional<Place> last_;              ///< who placed a work-group last
  std::uint64_t turn_ = 0;
};

}  // namespace gdsim
