#include <gdsim/base/lean_vectors.hpp>

#include <cstdlib>
#include <limits>
#include <new>

namespace gdsim {

void* detail::resized_block(void* block, std::size_t values, std::size_t size_of_one) {
  if (values > std::numeric_limits<std::size_t>::max() / size_of_one) throw std::bad_alloc();
  void* const resized = std::realloc(block, values * size_of_one);
  if (resized == nullptr) throw std::bad_alloc();
  return resized;
}

void detail::free_block(void* block) { std::free(block); }

}  // namespace gdsim
