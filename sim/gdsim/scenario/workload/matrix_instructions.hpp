#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Rule: matrix instructions.
//
// `issue: {mma: m16n8k16 bf16, count: 64}` stands for 64 instructions of a thread (a warp, wavefront or sub-group), and
// is read as `issue: {tensor_bf16: 131072}`: one instruction multiplies m x k by k x n elements, which is m x n x k
// multiply-adds of all its lanes together. Two shapes are not one matrix of one thread: m8n8k4 of fp16 is four
// matrices, and an m64 shape of NVIDIA (`wgmma`) is issued by four warps, each of which does a quarter. The type is
// that of the factors, as in the name of the kind: `tensor_` is put before it, so that `fp16_fp16` means sums in FP16.

namespace gdsim {

/// The kind of arithmetic that a matrix instruction uses, and the multiply-adds that one thread does with it.
struct MatrixInstruction {
  std::string kind;
  std::uint64_t multiply_adds = 0;
};

/// Reads `m16n8k16 bf16`. Returns nullopt if the vendor has no instruction of this shape for this type; of a vendor
/// that the table does not name, those of all are known. Thread-safe.
std::optional<MatrixInstruction> matrix_instruction(std::string_view text, std::string_view vendor);

/// Returns what may stand instead of this text: the shapes of its type, or if it has none, the types.
std::string known_matrix_instructions(std::string_view text, std::string_view vendor);

}  // namespace gdsim
