#include <gdsim/base/read_budget.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// Before and after the limit.
constexpr std::array<std::array<const char*, 2>, kReadCosts> kSentences{{
    {"is unpacked to more than ", " bytes"},
    {"has parts that overlap, or hold themselves: together they have more than ", " bytes"},
    {"has more than ", " values and entries"},
    {"has entries and texts that take more than ", " bytes of memory"},
    {"takes more than ", " steps to be computed"},
}};

/// Bytes of the file count, but for what is the same for every file.
std::uint64_t limit_of(const ReadLimit& limit, std::uint64_t bytes) {
  if (limit.per_byte > 0 && bytes > (limit.most - std::min(limit.most, limit.fixed)) / limit.per_byte)
    return limit.most;
  return limit.fixed + limit.per_byte * bytes;
}

}  // namespace

ReadBudget::ReadBudget(std::string file, std::uint64_t bytes, const ReadLimits& limits)
    : file_(std::move(file)), bytes_(bytes), limits_(limits) {}

std::uint64_t ReadBudget::limit(ReadCost cost) const {
  // What is unpacked has parts, too.
  const std::uint64_t bytes = cost == ReadCost::parts ? bytes_ + used(ReadCost::unpacked) : bytes_;
  return limit_of(limits_[static_cast<std::size_t>(cost)], bytes);
}

bool ReadBudget::take(ReadCost cost, std::uint64_t amount) {
  std::uint64_t& used = used_[static_cast<std::size_t>(cost)];
  const std::uint64_t most = limit(cost);
  if (used > most || amount > most - used) return false;
  used += amount;
  return true;
}

void ReadBudget::charge(ReadCost cost, std::uint64_t amount) {
  if (!take(cost, amount)) refuse(cost);
}

std::string ReadBudget::sentence_for(ReadCost cost) const {
  const ReadLimit& allowed = limits_[static_cast<std::size_t>(cost)];
  const std::uint64_t most = limit(cost);
  const auto& [before, after] = kSentences[static_cast<std::size_t>(cost)];
  std::string text = before + std::to_string(most) + after + ", the most that is allowed";
  if (allowed.per_byte > 0 && most != allowed.most)
    text += " for a file of " + std::to_string(bytes_) + " bytes: " + std::to_string(allowed.fixed) + ", and " +
            std::to_string(allowed.per_byte) + " for each of its bytes";
  return text;
}

void ReadBudget::refuse(ReadCost cost) const {
  throw InputError({Diagnostic{"too_costly", sentence_for(cost), file_, 0, 0, {}}});
}

}  // namespace gdsim
