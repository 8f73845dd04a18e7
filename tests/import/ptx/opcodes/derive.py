#!/usr/bin/env python3
"""Counts what ptxas makes of each arithmetic instruction of PTX, and writes the table and the kernels of the tests.

  tests/import/ptx/opcodes/derive.py [--ptxas PTXAS] > sim/gdsim/import/ptx/static_analysis/cost_rows.hpp

Each instruction is compiled twice, for each architecture: 2 and 6 of it, independent, on values that are loaded from
memory, with results that are stored. A quarter of the difference is what one instruction becomes. Slow paths, which a
branch skips for usual values, are left out; a subroutine that is always called is counted. Loads, stores, delays
(NOP), copies of registers in short sequences, and what only makes or reads a predicate for memory are not the
instruction's. A later architecture has a row of its own where its sum differs by more than a tenth (and by more than
one), or a pipe by more than one. tests/import/fixtures/opcodes.*.ptx get one kernel for each opcode that ptxas accepts.
"""
import argparse
import collections
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import arithmetic
import other

ROOT = pathlib.Path(__file__).resolve().parents[4]
ARCHITECTURES = ["75", "80", "86", "89", "90", "100", "120"]
KINDS = ["fp32", "fp64", "fp16", "int32", "sfu", "load_store"]
# By type: the type of its registers, and their letter.
TYPES = {"f32": ("f32", "f"), "f64": ("f64", "d")}
TYPES |= {t: ("b16", "h") for t in "b16 u16 s16 f16 bf16 u8 s8".split()}
TYPES |= {t: ("b32", "r") for t in "b32 u32 s32 f16x2 bf16x2 u16x2 s16x2 tf32".split()}
TYPES |= {t: ("b64", "l") for t in "b64 u64 s64".split()}
REGISTERS = ".reg .b16 %h<N>;.reg .b32 %r<N>;.reg .f32 %f<N>;.reg .f64 %d<N>;.reg .b64 %l<N>;.reg .pred %p<N>;"
CALLS = (0x944, 0x943, 0x343)
PACKED = (0x49, 0x4A, 0x4B)  # FFMA2, FMUL2, FADD2 of 10.0: two of each lane
LOADS_AND_STORES = (0x981, 0x381, 0x986, 0x386)


def kernel(number, text, types, count):
    """One line: `count` of an instruction. Addresses are too far apart for vectors."""
    loads, work, stores = [], [], []
    names = iter(range(1, 400))
    place = iter(range(0, 1 << 30, 65536))
    for _ in range(count):
        line = text
        for i, source in enumerate(types[1:]):
            if source[0].isdigit():
                line = line.replace(f"${i}", source)
                continue
            bits, letter = TYPES["b32" if source == "pred" else source]
            name = next(names)
            loads.append(f"ld.volatile.global.{bits} %{letter}{name},[%l391+{next(place)}];")
            if source == "pred":
                work.append(f"setp.ne.s32 %p{name},%r{name},0;")
            line = line.replace(f"${i}", f"%p{name}" if source == "pred" else f"%{letter}{name}")
        bits, letter = TYPES["b32" if types[0] == "pred" else types[0]]
        name = next(names)
        work.append(line.replace("$d", f"%p{name}" if types[0] == "pred" else f"%{letter}{name}") + ";")
        if types[0] == "pred":
            work.append(f"selp.b32 %r{name},1,0,%p{name};")
        stores.append(f"st.volatile.global.{bits} [%l393+{next(place)}],%{letter}{name};")
    head = (f".visible .entry k{number}(.param .u64 p,.param .u64 q){{" + REGISTERS.replace("N", "400") +
            "ld.param.u64 %l390,[p];cvta.to.global.u64 %l391,%l390;ld.param.u64 %l392,[q];"
            "cvta.to.global.u64 %l393,%l392;mov.u32 %r390,%tid.x;mul.wide.u32 %l394,%r390,8;"
            "add.s64 %l391,%l391,%l394;add.s64 %l393,%l393,%l394;")
    return head + "".join(loads + work + stores) + "ret;}"


def compiled(ptxas, architecture, kernels, before=()):
    """The cubin of those of the kernels (number: line) that ptxas accepts, and their numbers."""
    kernels = dict(kernels)
    head = [".version 9.0", f".target sm_{architecture}", ".address_size 64", *before]
    while kernels:
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / "k.ptx"
            file.write_text("\n".join(head + list(kernels.values())) + "\n")
            cubin = file.with_suffix(".cubin")
            done = subprocess.run([ptxas, f"-arch=sm_{architecture}", file, "-o", cubin], capture_output=True, text=True)
            if done.returncode == 0:
                return cubin.read_bytes(), list(kernels)
        numbers = list(kernels)
        wrong = {int(line) - 1 - len(head) for line in re.findall(r"line (\d+); (?:error|fatal)", done.stderr)}
        if not wrong:
            raise SystemExit(done.stderr[:1000])
        for line in wrong:
            kernels.pop(numbers[line])
    return b"", []


def code_by_kernel(cubin):
    begin, = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, begin + i * size) for i in range(count)]
    result = {}
    for section in sections:
        at = sections[names][4] + section[0]
        name = cubin[at : cubin.index(b"\0", at)].decode()
        if name.startswith(".text.k"):
            words = range(section[4], section[4] + section[5], 16)
            result[int(name[7:])] = [struct.unpack_from("<QQ", cubin, word) for word in words]
    return result


def target(at, low, high, architecture):
    """Where a branch goes. The offset has its low 8 bits elsewhere from 9.0 on."""
    offset, bits = ((low >> 34) & 0x3FFFFFFF) | ((high & 0x3FFFF) << 30), 48
    if architecture >= 90:
        offset, bits = (offset << 8) | ((low >> 16) & 0xFF), 56
    if offset >> (bits - 1):
        offset -= 1 << bits
    return at + 1 + offset * 4 // 16


def executed(code, architecture):
    """Opcodes of the usual path. `mov` stands for all copies: MOV, and products and sums with RZ."""
    at, calls, seen = 0, [], collections.Counter()
    while 0 <= at < len(code) and seen.total() < 5000:
        low, high = code[at]
        opcode, is_always = low & 0xFFF, (low >> 12) & 15 == 7
        base, is_of_zero = opcode & 0x1FF, (low >> 24) & 0xFF == 0xFF
        is_copy = (base == 2 and opcode >> 9) or (base in (0x24, 0x31, 0x35) and is_of_zero)
        seen["mov" if is_copy else opcode] += 1
        to = target(at, low, high, architecture) if opcode == 0x947 or opcode in CALLS else at
        skips_call = to > at and any(low & 0xFFF in CALLS for low, _ in code[at + 1 : to])
        at += 1
        if opcode == 0x94D and is_always:
            break
        if opcode == 0x950 and is_always:
            at = calls.pop()
        elif opcode in CALLS and is_always:
            calls.append(at)
            at = to
        elif opcode == 0x947 and (is_always or skips_call):
            at = to
    return seen


def pipe(opcode, architecture, is_half):
    """Of machine code, by what the simple instructions of PTX become: FADD, DADD, HADD2, IADD3, MUFU, SHFL."""
    base = 0 if opcode == "mov" else opcode & 0x1FF
    if opcode != "mov" and (opcode in LOADS_AND_STORES or opcode == 0x918):
        return None
    if base in (0x20, 0x21, 0x23) or (base in PACKED and architecture >= 100):
        return "fp32"
    if base in (0x28, 0x29, 0x2A, 0x2B):
        return "fp64"
    if is_half and (base in (0x30, 0x31, 0x32, 0x33, 0x34, 0x40) or (base == 0x35 and architecture < 100)):
        return "fp16"
    if opcode != "mov" and 0x100 <= base <= 0x113 and (opcode >> 8) & 0xE != 8:
        return "sfu"
    return "load_store" if opcode in (0x589, 0x989, 0xF89, 0x389) else "int32"


def costs(name, types, few, many, architecture):
    """Instructions of machine code by kind, of one instruction of PTX."""
    difference = {op: (many[op] - few[op]) / 4 for op in set(few) | set(many) if many[op] != few[op]}
    is_half = "f16" in name or "e4m3" in name or "e5m2" in name
    is_small = is_half or any(t in ("u16", "s16", "b16", "u8", "s8") for t in types)
    for opcode in (0x816, 0x812) if is_small else ():  # take halves of registers apart
        difference.pop(opcode, None)
    kinds = {op: pipe(op, architecture, is_half) for op in difference}
    if is_small or sum(n for op, n in difference.items() if kinds[op] and op != "mov") <= 8:
        difference.pop("mov", None)
    sums = collections.Counter()
    for opcode, number in difference.items():
        is_two = opcode != "mov" and opcode & 0x1FF in PACKED and architecture >= 100
        sums[kinds[opcode]] += number * (2 if is_two else 1)
    sums["int32"] -= (types[0] == "pred") + sum(t == "pred" for t in types[1:])
    is_packed = is_half and name.split(".")[0] in "add sub mul fma min max abs neg".split() and "f32" not in name
    if is_packed and not sums["fp16"]:  # two share a register and an instruction
        sums["fp16"], sums["int32"] = 1, 0
    if is_half and "x2" in name and sums["fp16"]:
        sums["int32"] = 0
    return tuple(max(0, int(sums[kind] + 0.5)) for kind in KINDS)


DROPPED = set("rn rz rm rp ftz sat relu NaN xorsign satfinite lt ne sync clamp wrap finite infinite".split())


def stripped(name):
    """As costs_of() strips an opcode that is not listed as it is."""
    if name.startswith("cvt.sat") or name.endswith((".u8.f32", ".f32.u8")):
        return name
    parts = name.split(".")
    return ".".join(parts[:1] + [part for part in parts[1:] if part not in DROPPED])


def plain(name):
    """What costs_of() takes for an opcode without a row."""
    parts = name.split(".")
    kind = "int32"
    integers = set("u8 s8 u16 s16 u32 s32 u64 s64".split())
    if parts[0] == "cvt":
        kind = None if integers.issuperset(parts[-2:]) and "sat" not in parts else "sfu"
    elif parts[-1] == "pred" and parts[0] != "vote":
        kind = None
    elif parts[0] == "shfl":
        kind = "load_store"
    elif parts[-1] == "f64":
        kind = "fp64"
    elif parts[0] in ("setp", "selp", "set"):
        kind = "int32"
    elif parts[0] in "rcp sqrt rsqrt sin cos ex2 lg2 tanh".split():
        kind = "sfu"
    elif parts[-1] == "f32":
        kind = "fp32"
    elif "f16" in parts[-1]:
        kind = "fp16"
    return tuple(int(kind == k) for k in KINDS)


def rows_of(counted):
    """By opcode: (architecture, costs), the first row for all that are older than the next."""
    rows = collections.defaultdict(list)
    for name, by_architecture in counted.items():
        last = None
        for architecture, found in by_architecture.items():
            if last is not None:
                apart = sum(abs(a - b) for a, b in zip(found, last))
                if apart == 0 or (sum(last) >= 3 and apart <= max(1, sum(last) // 10)):
                    continue
            rows[name].append((architecture if last is not None else 0, found))
            last = found
    return rows


def table_of(rows):
    """Rows under the shortest names that tell them apart; without those that are plain."""
    by_name = collections.defaultdict(list)
    for name in rows:
        by_name[stripped(name)].append(name)
    table = {}
    for short, names in by_name.items():
        if len({tuple(rows[name]) for name in names}) > 1:
            table |= {name: rows[name] for name in names}
        elif any(found != plain(name) for name in names for _, found in rows[name]):
            table[short] = rows[names[0]]
    for name in list(table):
        if ".ftz" in name and table.get(name.replace(".ftz", "")) == table[name]:
            del table[name]
    return table


HEAD = """#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Made by tests/import/ptx/opcodes/derive.py from what ptxas of CUDA 13.0 makes of each instruction; see there.

namespace gdsim {

/// Instructions of machine code by kind: %s.
using KindCounts = std::array<std::uint8_t, 6>;

/// What ptxas makes of an instruction from a compute capability on, 75 for 7.5, up to that of the next.
struct CostsFrom {
  unsigned capability = 0;
  KindCounts counts{};
  bool is_set = true;
};

/// Instructions of PTX that cost the same.
struct CostRow {
  std::string_view opcodes;             ///< separated by blanks
  std::array<CostsFrom, 4> from{};  ///< ascending; those that are not set come last
};

// clang-format off
inline constexpr std::array kCostRows{
"""


def print_table(table):
    grouped = collections.defaultdict(list)
    for name, rows in table.items():
        grouped[tuple(rows)].append(name)
    print(HEAD % ", ".join(KINDS), end="")
    for rows, names in grouped.items():
        line = 'CostRow{"'
        for name in names:
            if len(line) + len(name) > 112:
                print(line + '"')
                line = ' "'
            line += name + " "
        print(line.rstrip() + '",')
        sets = ["{%d, {%s}, true}" % (a, ", ".join(map(str, found))) for a, found in rows]
        print("  {{" + ", ".join(sets + ["{0, {}, false}"] * (4 - len(sets))) + "}}},")
    print("};\n// clang-format on\n\n}  // namespace gdsim")


def write_kernels(ptxas):
    """One kernel for each opcode: of 9.0a, and of 10.0a what 9.0a lacks."""
    lines = []
    for text, types in arithmetic.OPS:
        used = iter(range(1, 9))
        for i, t in enumerate(types[1:]):
            letter = "p" if t == "pred" else TYPES.get(t, ("", ""))[1]
            text = text.replace(f"${i}", t if t[0].isdigit() else f"%{letter}{next(used)}")
        letter = "p" if types[0] == "pred" else TYPES[types[0]][1]
        lines.append(text.replace("$d", f"%{letter}{next(used)}"))
    kernels = {}
    for number, text in enumerate(lines + other.LINES):
        used = [d for d in REGISTERS.replace("N", "9").split(";") if d and re.search(d.split()[-1][:2] + r"\d", text)]
        local = ".local .b32 l;" if "[l]" in text else ""
        kernels[number] = (f".entry k{number}(.param .b64 p){{" + "".join(d + ";" for d in used) + local + text + ";ret;}")
    before = [".shared .align 128 .b8 s[1024];", ".const .b32 c;"]
    missing = kernels
    for architecture in ("90a", "100a"):
        _, accepted = compiled(ptxas, architecture, missing, before)
        head = [".version 9.0", f".target sm_{architecture}", ".address_size 64", *before]
        file = ROOT / f"tests/import/fixtures/opcodes.sm_{architecture}.ptx"
        file.write_text("\n".join(head + [kernels[number] for number in accepted]) + "\n")
        missing = {number: line for number, line in missing.items() if number not in accepted}
    for line in missing.values():
        print("not accepted:", line, file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptxas", default="ptxas")
    ptxas = parser.parse_args().ptxas
    counted = collections.defaultdict(dict)
    for architecture in ARCHITECTURES:
        codes = []
        for count in (2, 6):
            kernels = {i: kernel(i, text, types, count) for i, (text, types) in enumerate(arithmetic.OPS)}
            codes.append(code_by_kernel(compiled(ptxas, architecture, kernels)[0]))
        for i, (text, types) in enumerate(arithmetic.OPS):
            if i not in codes[0] or i not in codes[1]:
                continue
            few, many = (executed(code[i], int(architecture)) for code in codes)
            name = text.split()[0]
            counted[name][int(architecture)] = costs(name, types, few, many, int(architecture))
    print_table(table_of(rows_of(counted)))
    write_kernels(ptxas)


if __name__ == "__main__":
    main()
