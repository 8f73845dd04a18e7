#include <gdsim/base/decimal.hpp>

#include <algorithm>

namespace gdsim {

std::string to_text(Int128 value) {
  const bool negative = value < 0;
  UInt128 rest = negative ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace gdsim
