#include <gdsim/scenario/workload/read_workload.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace gdsim {
namespace {

/// Sizes that a dimension may have.
struct Sizes {
  std::uint64_t first = 0;
  std::uint64_t last = first;
  std::uint64_t step = 1;

  bool has(std::uint64_t size) const { return first <= size && size <= last && (size - first) % step == 0; }
};

/// A family of instructions of a vendor: what each may be, and how it is divided.
struct Shape {
  std::string_view vendor;
  std::string_view types;  ///< of the factors, separated and surrounded by blanks
  Sizes m;
  Sizes n;
  Sizes k;
  std::uint64_t matrices = 1;  ///< of one instruction
  std::uint64_t threads = 1;   ///< that issue it together
};

constexpr Sizes only(std::uint64_t size) { return {size, size, 1}; }
constexpr Sizes kWideN{8, 256, 8};
constexpr Sizes kRepeats{1, 8, 1};

// NVIDIA: PTX ISA 8.5, "Matrix shape" of mma and of wgmma.mma_async. AMD: instruction set architectures of CDNA 1 to 4
// (MFMA of one block) and of RDNA 3 and 4 (WMMA). Intel: DPAS of Xe-HPG (n8) and Xe-HPC and Xe2 (n16), with a systolic
// depth of 8 and a repeat count of 1 to 8, in the open source Graphics Compiler's documents.
constexpr std::array kShapes{
    Shape{"nvidia", " fp16 ", only(8), only(8), only(4), 4},
    Shape{"nvidia", " fp64 ", only(8), only(8), only(4)},
    Shape{"nvidia", " tf32 fp64 ", only(16), only(8), only(4)},
    Shape{"nvidia", " fp16 bf16 tf32 fp64 ", only(16), only(8), only(8)},
    Shape{"nvidia", " fp16 bf16 int8 fp64 ", only(16), only(8), only(16)},
    Shape{"nvidia", " int8 ", only(8), only(8), only(16)},
    Shape{"nvidia", " int4 ", only(8), only(8), only(32)},
    Shape{"nvidia", " int8 int4 fp8 ", only(16), only(8), only(32)},
    Shape{"nvidia", " int4 fp4 ", only(16), only(8), only(64)},
    Shape{"nvidia", " tf32 ", only(64), kWideN, only(8), 1, 4},
    Shape{"nvidia", " fp16 bf16 ", only(64), kWideN, only(16), 1, 4},
    Shape{"nvidia", " int8 fp8 ", only(64), kWideN, only(32), 1, 4},
    Shape{"amd", " fp32 ", only(32), only(32), only(2)},
    Shape{"amd", " fp32 fp64 ", only(16), only(16), only(4)},
    Shape{"amd", " bf16 tf32 ", only(32), only(32), only(4)},
    Shape{"amd", " bf16 tf32 ", only(16), only(16), only(8)},
    Shape{"amd", " fp16 bf16 int8 ", only(32), only(32), only(8)},
    Shape{"amd", " fp16 bf16 int8 int4 fp8 ", only(16), only(16), only(16)},
    Shape{"amd", " fp16 bf16 int8 fp8 ", only(32), only(32), only(16)},
    Shape{"amd", " fp16 bf16 int8 int4 fp8 ", only(16), only(16), only(32)},
    Shape{"amd", " int8 ", only(32), only(32), only(32)},
    Shape{"amd", " int8 ", only(16), only(16), only(64)},
    Shape{"amd", " fp8 fp4 ", only(32), only(32), only(64)},
    Shape{"amd", " fp8 fp4 ", only(16), only(16), only(128)},
    Shape{"intel", " tf32 ", kRepeats, only(16), only(8)},
    Shape{"intel", " fp16 bf16 ", kRepeats, {8, 16, 8}, only(16)},
    Shape{"intel", " int8 ", kRepeats, {8, 16, 8}, only(32)},
    Shape{"intel", " int4 ", kRepeats, {8, 16, 8}, only(64)},
};

/// The words of a text that may be a matrix instruction: a shape, one blank, a type.
struct Written {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::string_view type;
};

/// Takes a letter and a number from the front of `text`. Returns 0 if there is none.
std::uint64_t take_size(std::string_view& text, char letter) {
  std::uint64_t size = 0;
  if (!text.starts_with(letter)) return 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), size);
  if (error != std::errc() || size > 1'024) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return size;
}

Written written_in(std::string_view text) {
  Written written;
  if (const std::size_t blank = text.find(' '); blank != std::string_view::npos) {
    written.type = text.substr(blank + 1);
    text = text.substr(0, blank);
  }
  written.m = take_size(text, 'm');
  written.n = take_size(text, 'n');
  written.k = take_size(text, 'k');
  if (!text.empty()) written.k = 0;
  return written;
}

/// Returns the type of the factors: that of `fp16_fp16` is `fp16`.
std::string_view factors_of(std::string_view type) { return type.substr(0, type.find('_')); }

bool has_type(const Shape& shape, std::string_view type) {
  return !type.empty() && type.find(' ') == std::string_view::npos &&
         shape.types.find(" " + std::string(type) + " ") != std::string_view::npos;
}

bool is_named(std::string_view vendor) {
  return std::any_of(kShapes.begin(), kShapes.end(), [&](const Shape& shape) { return shape.vendor == vendor; });
}

/// Calls `use` for the shapes of the vendor.
template <class Use>
void for_each_shape(std::string_view vendor, Use&& use) {
  for (const Shape& shape : kShapes)
    if (shape.vendor == vendor || !is_named(vendor)) use(shape);
}

std::string words_of(const Sizes& sizes) {
  if (sizes.first == sizes.last) return std::to_string(sizes.first);
  const std::string between =
      sizes.step == 1 || sizes.first + sizes.step == sizes.last ? "" : " in steps of " + std::to_string(sizes.step);
  return "(" + std::to_string(sizes.first) + (sizes.first + sizes.step == sizes.last ? " or " : " to ") +
         std::to_string(sizes.last) + between + ")";
}

}  // namespace

std::optional<MatrixInstruction> matrix_instruction(std::string_view text, std::string_view vendor) {
  const Written written = written_in(text);
  std::optional<MatrixInstruction> found;
  for_each_shape(vendor, [&](const Shape& shape) {
    if (found || !has_type(shape, factors_of(written.type))) return;
    if (shape.m.has(written.m) && shape.n.has(written.n) && shape.k.has(written.k))
      found = {"tensor_" + std::string(written.type),
               written.m * written.n * written.k * shape.matrices / shape.threads};
  });
  return found;
}

std::string known_matrix_instructions(std::string_view text, std::string_view vendor) {
  const std::string_view type = written_in(text).type;
  std::string shapes;
  std::set<std::string_view> types;
  for_each_shape(vendor, [&](const Shape& shape) {
    if (has_type(shape, factors_of(type)))
      shapes += (shapes.empty() ? "m" : ", m") + words_of(shape.m) + "n" + words_of(shape.n) + "k" + words_of(shape.k);
    for (std::string_view left = shape.types.substr(1); !left.empty(); left.remove_prefix(left.find(' ') + 1))
      types.insert(left.substr(0, left.find(' ')));
  });
  if (!shapes.empty()) return "shapes for " + std::string(type) + ": " + shapes;
  std::string all;
  for (const std::string_view known : types) all += (all.empty() ? "" : ", ") + std::string(known);
  return "a shape, a blank and a type are needed, as in `mma: m16n8k16 bf16`; types: " + all;
}

}  // namespace gdsim
