#include <gdsim/model/time_ledger.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The maximum number of pages: their table takes 8 MiB.
constexpr std::size_t kMaxPages = std::size_t{1} << 20U;

}  // namespace

TimeLedger::TimeLedger(std::size_t cores, std::size_t kernels) : cores_(cores), kernels_(kernels) {
  const auto pages = [&] { return ((kernels - 1) >> page_bits_) + 1; };
  if (kernels > 0)
    while (pages() > 1 && cores * pages() > kMaxPages) ++page_bits_;
  pages_per_core_ = kernels == 0 ? 0 : pages();
  shifts_.assign(cores * pages_per_core_, kNoPage);
}

std::int64_t TimeLedger::add_page(std::size_t kernel) {
  const auto place = static_cast<std::int64_t>(uses_.size());
  uses_.resize(uses_.size() + (std::size_t{1} << page_bits_));
  return place - static_cast<std::int64_t>(kernel >> page_bits_ << page_bits_);
}

TimeUse TimeLedger::total_of(CoreId core, KernelId kernel) const {
  const std::int64_t shift = shifts_[page_of(index_of(core), index_of(kernel))];
  return shift == kNoPage ? TimeUse{} : uses_[place_of(shift, index_of(kernel))];
}

template <class Visit>
void TimeLedger::visit_uses(Visit visit) const {
  for (std::size_t core = 0; core < cores_; ++core)
    for (std::size_t page = 0; page < pages_per_core_; ++page) {
      if (shifts_[core * pages_per_core_ + page] == kNoPage) continue;
      const std::size_t first = page << page_bits_;
      const std::size_t last = std::min(kernels_, first + (std::size_t{1} << page_bits_));
      for (std::size_t kernel = first; kernel < last; ++kernel) {
        const CoreTimeUse one{static_cast<CoreId>(core), static_cast<KernelId>(kernel),
                              total_of(static_cast<CoreId>(core), static_cast<KernelId>(kernel))};
        if (one.use.sum() != 0) visit(one);
      }
    }
}

std::vector<CoreTimeUse> TimeLedger::take_uses() {
  std::size_t count = 0;
  visit_uses([&count](const CoreTimeUse&) { ++count; });
  std::vector<CoreTimeUse> all;
  all.reserve(count);
  visit_uses([&all](const CoreTimeUse& core_use) { all.push_back(core_use); });
  uses_ = {};
  std::fill(shifts_.begin(), shifts_.end(), kNoPage);
  return all;
}

}  // namespace gdsim
