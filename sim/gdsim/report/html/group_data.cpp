#include <gdsim/report/html/group_data.hpp>

#include <gdsim/report/html/dispatch_changes.hpp>
#include <gdsim/report/html/group_lives.hpp>
#include <gdsim/report/html/script_json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// The maximum number of work-groups that are listed one by one, of about 24 bytes each.
constexpr std::size_t kMaxListedGroups = 16'000;
constexpr std::size_t kMaxDensityRows = 256;
constexpr std::size_t kMaxDensityCells = 60'000;
constexpr std::size_t kMaxDensityColumns = 512;
constexpr std::string_view kDensityLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using CoreLives = std::vector<std::vector<GroupLife>>;

/// The mean number of resident work-groups by row of cores and by column of time: letters from `A` (none) to `/` (the
/// maximum of all cells).
class Density {
 public:
  Density(const RunView& view, const CoreLives& lives)
      : start_(view.record.first_dispatch), whole_(static_cast<UInt128>(view.record.active().count)) {
    per_row_ = (lives.size() + kMaxDensityRows - 1) / kMaxDensityRows;
    const std::size_t rows = (lives.size() + per_row_ - 1) / per_row_;
    const std::size_t columns = std::min(kMaxDensityCells / rows, kMaxDensityColumns);
    columns_ = static_cast<std::size_t>(std::min<UInt128>(columns, whole_));
    for (std::size_t core = 0; core < lives.size(); ++core) {
      if (core % per_row_ == 0) cells_.emplace_back(columns_);
      for (const GroupLife& life : lives[core]) add(life, cells_.back());
    }
    for (const std::vector<UInt128>& row : cells_)
      for (const UInt128 cell : row) max_ = std::max(max_, cell);
  }

  std::string text() const {
    std::string text = "\"per_row\":" + std::to_string(per_row_) + ",\"columns\":" + std::to_string(columns_) +
                       ",\"max\":" + to_fixed({max_, whole_ * per_row_}, 4);
    return text + "," + script_column("density", cells_, [&](std::string& to, const std::vector<UInt128>& row) {
             to.push_back('"');
             for (const UInt128 cell : row)
               to.push_back(kDensityLetters[max_ == 0 ? 0 : static_cast<std::size_t>((cell * 63 + max_ - 1) / max_)]);
             to.push_back('"');
           });
  }

 private:
  /// Cells count picoseconds x columns: one work-group fills a column with the run's number of picoseconds.
  void add(const GroupLife& life, std::vector<UInt128>& row) const {
    const auto begin = static_cast<UInt128>((life.begin - start_).count) * columns_;
    const auto end = static_cast<UInt128>((life.end - start_).count) * columns_;
    for (auto column = static_cast<std::size_t>(begin / whole_); column < columns_ && column * whole_ < end; ++column)
      row[column] += std::min(end, whole_ * (column + 1)) - std::max(begin, whole_ * column);
  }

  SimTime start_;
  UInt128 whole_;
  std::size_t columns_ = 1;
  std::size_t per_row_ = 1;
  std::vector<std::vector<UInt128>> cells_;
  UInt128 max_ = 0;
};

/// The work-groups that are listed one by one.
struct ListedGroups {
  std::vector<std::size_t> cores;
  bool is_cut = false;  ///< only the first and the last work-groups of one core are listed
};

/// Selects all cores that had work-groups, or an even selection of them, or the one that had most.
ListedGroups listed_groups(const CoreLives& lives) {
  std::vector<std::size_t> used;
  std::size_t total = 0, fullest = 0;
  for (std::size_t core = 0; core < lives.size(); ++core) {
    if (lives[core].empty()) continue;
    used.push_back(core);
    total += lives[core].size();
    if (lives[core].size() > lives[fullest].size()) fullest = core;
  }
  const std::size_t max_groups = lives[fullest].size();
  if (total <= kMaxListedGroups) return {used, false};
  if (2 * max_groups > kMaxListedGroups) return {{fullest}, max_groups > kMaxListedGroups};
  const std::size_t count = std::min(kMaxListedGroups / max_groups, used.size());
  ListedGroups listed;
  for (std::size_t i = 0; i < count; ++i) listed.cores.push_back(used[i * used.size() / count]);
  return listed;
}

/// Columns of the listed work-groups, core after core. Each start is relative to the previous one on its core. Duration
/// -1: it had not ended.
std::string single_groups(const RunView& view, const CoreLives& lives) {
  const ListedGroups listed = listed_groups(lives);
  std::string counts, launches, groups, starts, durations;
  const auto next = [](std::string& text) -> std::string& {
    if (!text.empty()) text.push_back(',');
    return text;
  };
  for (const std::size_t core : listed.cores) {
    SimTime last = view.record.first_dispatch;
    std::size_t count = 0;
    for (std::size_t i = 0; i < lives[core].size(); ++i) {
      if (listed.is_cut && i >= kMaxListedGroups / 2 && i + kMaxListedGroups / 2 < lives[core].size()) continue;
      const GroupLife& life = lives[core][i];
      ++count;
      append_count(next(launches), life.launch);
      append_count(next(groups), life.group);
      append_picoseconds(next(starts), last, life.begin);
      last = life.begin;
      if (life.has_ended) {
        append_picoseconds(next(durations), life.begin, life.end);
      } else {
        next(durations) += "-1";
      }
    }
    append_count(next(counts), count);
  }
  return script_column("cores", listed.cores, [](std::string& to, std::size_t core) { append_count(to, core); }) +
         ",\"cut\":" + (listed.is_cut ? "true" : "false") + ",\"counts\":[" + counts + "],\"launch\":[" + launches +
         "],\"group\":[" + groups + "],\"start\":[" + starts + "],\"duration\":[" + durations + "]";
}

}  // namespace

std::string group_data(const RunView& view) {
  if (view.group_lives.empty() || view.record.first_dispatch >= view.record.end) return "null";
  const CoreLives lives = lives_by_core(view);
  std::uint64_t placed = 0;
  for (const std::vector<GroupLife>& core : lives) placed += core.size();
  if (placed == 0) return "null";
  std::string text = "{\"total\":" + std::to_string(view.record.work_groups_total) +
                     ",\"placed\":" + std::to_string(placed) + "," + Density(view, lives).text() + ",\n" +
                     single_groups(view, lives);
  if (is_animated(view)) text += ",\n" + dispatch_changes(view);
  return text + "}";
}

}  // namespace gdsim
