#!/usr/bin/env python3
"""Plants mutants in a copy of the sources, and finds out which of them the tests notice.

    mutants.py plant COPY --count N --seed S [--drop 3,17]   copies the tree, plants N mutants drawn at random, and all
                                                             of picked.txt, which are numbered behind them
        [--within sim/gdsim/store,tools/gdsim]               draws them from these folders and files alone, without
                                                             picked.txt
    mutants.py dropped LOG COPY                              the numbers of those that a compiler's log complains of
    mutants.py run COPY --build DIR                          which tests reach each mutant, and whether one fails

A mutant is one small change: an operator, a constant, a condition, a statement that is left out. All are compiled at
once; the environment variable GDSIM_MUTANT says which one is on. So a campaign costs one build, and of each mutant only
the tests that reach it, up to the first that fails. `tools/test mutation` does all of it.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What stands to the left or right of an operator: names, calls, indices, numbers, and operators that bind tighter.
OPENING = {")": "(", "]": "["}


def blank_out(text):
    """The text with comments, strings and preprocessor lines blanked, everything at its place."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\w*\(.*?\)\w*"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^[ ]*#[^\n]*'

    def blank(match):
        return "".join(c if c == "\n" else "\x01" if match.group().startswith(("\"", "R\"", "'")) else " "
                       for c in match.group())

    return re.sub(pattern, blank, text, flags=re.S | re.M)


def operand_before(text, at, stops):
    """Where the operand that ends before `at` begins; None if unknown."""
    i = at
    while i > 0:
        c = text[i - 1]
        if c in OPENING:
            depth = 0
            while i > 0:
                i -= 1
                if text[i] in ")]}":
                    depth += 1
                elif text[i] in "([{":
                    depth -= 1
                    if depth == 0:
                        break
            continue
        if c in "([{;,?}":
            break
        found = next((s for s in stops if text.endswith(s, 0, i)), None)
        if found:
            break
        i -= 1
    while i < at and text[i].isspace():
        i += 1
    word = re.compile(r"return\s+|co_return\s+|case\s+|else\s+").match(text, i)
    if word:
        i = word.end()
    return i if i < at else None


def operand_after(text, at, stops):
    i = at
    depth = 0
    while i < len(text):
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (c in ";,?" or any(text.startswith(s, i) for s in stops)):
            break
        i += 1
    end = i
    while end > at and text[end - 1].isspace():
        end -= 1
    return end if end > at and depth == 0 else None


ASSIGN = [" = ", " += ", " -= ", " *= ", " /= ", " %= ", " |= ", " &= ", " << ", " >> ", " : "]
LOGIC = [" && ", " || "]
RELATION = [" < ", " > ", " <= ", " >= ", " == ", " != "]
SUM = [" + ", " - "]
BITS = [" | ", " & ", " ^ "]

OPERATORS = []  # (operator, its replacement, what ends an operand)
for one, other in [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")]:
    OPERATORS.append((f" {one} ", f" {other} ", ASSIGN + LOGIC + RELATION + BITS))
OPERATORS += [(" && ", " || ", ASSIGN + LOGIC), (" || ", " && ", ASSIGN + [" || "])]
OPERATORS += [(" + ", " - ", ASSIGN + LOGIC + RELATION + BITS + SUM), (" - ", " + ", ASSIGN + LOGIC + RELATION + BITS + SUM)]
OPERATORS += [(" * ", " / ", ASSIGN + LOGIC + RELATION + BITS + SUM + [" * ", " / ", " % "])]


# Each kind of mutant: all its places in a source, as (start, end, replacement, what). The replacement has MUTANT where
# the mutant's number goes. `blank` is the text without comments and strings.


def other_operators(text, blank):
    blank = blank.replace("\n", " ")  # an operator may end its line
    for operator, other, stops in OPERATORS:
        for match in re.finditer(re.escape(operator), blank):
            start = operand_before(blank, match.start(), stops)
            end = operand_after(blank, match.end(), stops)
            if start is None or end is None:
                continue
            before = blank[:start].rstrip()[-1:]
            if (operator.strip() in "+-" and before == "-") or (operator.strip() == "*" and before in ("/", "%")):
                continue  # brackets around it would change what the rest means: a - b + c is not a - (b + c)
            left, right = text[start:match.start()], text[match.end():end]
            if "\x01" in blank[start:end] and operator.strip() in "+-":
                continue  # texts are joined, not added
            if re.match(r"(const|auto|static|constexpr|template|using|requires|for|if|while)\b", left):
                continue
            yield (start, end, f"(gdsim_mutant(MUTANT) ? ({left}){other}({right}) : ({left}){operator}({right}))",
                   f"{operator.strip()} -> {other.strip()}")


def negated_conditions(text, blank):
    for match in re.finditer(r"\b(?:if|while) \(", blank):
        end = operand_after(blank, match.end(), ["\x02"])
        condition = text[match.end():end] if end else ""
        if not end or blank[end:end + 1] != ")" or re.search(r"(^|[^=!<>])=([^=]|$)|;|\bauto\b", blank[match.end():end]):
            continue
        if "constexpr" in blank[match.start() - 1:match.end()]:
            continue
        yield match.end(), end, f"gdsim_mutant(MUTANT) != static_cast<bool>({condition})", "condition negated"


def tables(blank):
    """Where initialisers of constexpr variables and enumerators stand, as (start, end): the compiler computes them, so
    nothing in them is ever on. Not those of lambdas, which run."""
    found = [match.span() for match in re.finditer(r"\benum\b[^;{]*\{[^}]*\}", blank)]
    for match in re.finditer(r"\bconstexpr\b", blank):
        begin = re.compile(r"[^;={(]*").match(blank, match.end()).end()
        if begin == len(blank) or blank[begin] in ";(":
            continue
        end = operand_after(blank, begin, ["\x02"])
        if end and not blank[begin + 1:end].lstrip().startswith("["):
            found.append((match.start(), end))
    return found


def raised_constants(text, blank):
    constant = tables(blank)
    for match in re.finditer(r"(?<![\w.'\"])([0-9][0-9']*)(U|u)?(?![\w.'])", blank):
        line_start = blank.rfind("\n", 0, match.start()) + 1
        line = blank[line_start:blank.find("\n", match.start())]
        if re.search(r"constexpr|template|std::array<|case |enum|\bIdx|static_assert|= default|= 0;|std::get<|:", line):
            continue
        if any(begin <= match.start() < end for begin, end in constant):
            continue
        value = match.group()
        yield match.start(), match.end(), f"(gdsim_mutant(MUTANT) ? ({value} + 1) : {value})", "constant + 1"


def min_for_max(text, blank):
    for match in re.finditer(r"\bstd::(min|max)\(", blank):
        close = match.end()
        depth = 1
        while close < len(blank) and depth:
            depth += {"(": 1, ")": -1}.get(blank[close], 0)
            close += 1
        if not operand_after(blank, match.end(), ["\x02"]):
            continue
        values = text[match.end():close - 1]
        this, that = match.group(1), "max" if match.group(1) == "min" else "min"
        yield (match.start(), close, f"(gdsim_mutant(MUTANT) ? std::{that}({values}) : std::{this}({values}))",
               f"{this} -> {that}")


def other_answers(text, blank):
    for match in re.finditer(r"\breturn (true|false);", blank):
        other = "false" if match.group(1) == "true" else "true"
        yield (match.start(), match.end(), f"return gdsim_mutant(MUTANT) ? {other} : {match.group(1)};",
               f"returns {other}")


STATEMENT = re.compile(r"(?<=[;{}:)\n])\n( +)((?:\+\+|--)?[a-z_][\w.\[\]>\-:()*&]*?"
                       r"(?:\([^;{}]*\)| (?:=|\+=|-=|\*=|\|=|&=) [^;{}]*)?);(?=[ \n])")
NO_STATEMENT = re.compile(r"(return|using|const|auto|static|case|break|continue|throw|delete|goto|else|friend|default|virtual|"
                          r"explicit|public|private|if|for|while|constexpr|typedef|struct|class|std::\w+ \w+)\b")
DECLARATION = re.compile(r"[\w:<>,]+[ &*]+\w+( =|\(|$)")


def left_out_statements(text, blank):
    for match in STATEMENT.finditer(blank):
        if NO_STATEMENT.match(match.group(2)) or DECLARATION.match(match.group(2)):
            continue
        before = blank[:match.start()].rstrip()
        if before[-1:] not in (";", "{", "}"):  # the middle of something, or the body of an if without braces
            continue
        start = match.start() + 1 + len(match.group(1))
        yield start, match.end(), "if (!gdsim_mutant(MUTANT)) { " + text[start:match.end()] + " }", "statement left out"


KINDS = [other_operators, negated_conditions, raised_constants, min_for_max, other_answers, left_out_statements]


def sites_of(text):
    """All places of all kinds in a source."""
    blank = blank_out(text)
    return [site for kind in KINDS for site in kind(text, blank)]


def sources(within):
    """All sources, or those in the folders and files `within`."""
    files = [f for folder in ("sim/gdsim", "tools/gdsim") for f in sorted((ROOT / folder).rglob("*"))
             if f.suffix in (".cpp", ".hpp")]
    for place in within:
        if not any(f.is_relative_to(ROOT / place) for f in files):
            sys.exit(f"--within: no sources in {place}")
    return [f for f in files if not within or any(f.is_relative_to(ROOT / place) for place in within)]


def picked():
    """The mutants of picked.txt: `FILE: TEXT ==> WHAT IT BECOMES`, each in one place of its file."""
    found = []
    for line in (Path(__file__).parent / "picked.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        file, change = line.split(": ", 1)
        was, becomes = change.split(" ==> ")
        text = (ROOT / file).read_text()
        if text.count(was) != 1:
            sys.exit(f"picked.txt: {file} has {text.count(was)} times: {was}")
        start = text.index(was)
        found.append((file, start, start + len(was), becomes, "picked"))
    return found


def plant(copy, count, seed, drop, within):
    every = []
    for file in sources(within):
        every += [(str(file.relative_to(ROOT)), *site) for site in sites_of(file.read_text())]
    random.Random(seed).shuffle(every)
    chosen, taken = [], {}
    for number, (file, start, end, new, what) in enumerate([] if within else picked(), count + 1):
        chosen.append((number, file, start, end, new, what))
        taken.setdefault(file, []).append((start, end))
    drawn = 0
    for file, start, end, new, what in every:
        if drawn == count:
            break
        spans = taken.setdefault(file, [])
        if any(start < e and s < end for s, e in spans):
            continue  # none inside another
        spans.append((start, end))
        drawn += 1
        chosen.append((drawn, file, start, end, new, what))
    copy.mkdir(parents=True, exist_ok=True)
    for name in subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                               check=True).stdout.splitlines():
        if (ROOT / name).is_file() and name not in {c[1] for c in chosen}:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    listed = []
    for file in sorted({c[1] for c in chosen}):
        original = text = (ROOT / file).read_text()
        here = [c for c in chosen if c[1] == file and c[0] not in drop]
        for number, _, start, end, new, what in sorted(here, key=lambda c: -c[2]):  # from the end on: places stay
            becomes = new.replace("MUTANT", str(number))
            listed.append({"number": number, "file": file, "line": original.count("\n", 0, start) + 1, "what": what,
                           "was": original[start:end], "planted": becomes})
            text = text[:start] + becomes + text[end:]
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        if not (copy / file).exists() or (copy / file).read_text() != text:
            (copy / file).write_text(text)
    listed.sort(key=lambda m: m["number"])
    (copy / "mutants.json").write_text(json.dumps({"candidates": len(every), "seed": seed, "drawn": count,
                                                   "within": within, "mutants": listed}, indent=1))
    print(f"{len(listed)} mutants of {len(every)} candidates")


def dropped(log, copy):
    """The mutants on the lines that a compiler complains of."""
    numbers = set()
    for match in re.finditer(r"([\w/.\-]+\.[ch]pp):(\d+):\d+: (?:fatal )?error", Path(log).read_text(errors="replace")):
        file = Path(match.group(1))
        for candidate in (copy / str(file).lstrip("/"), file):
            if candidate.is_file():
                lines = candidate.read_text().splitlines()
                line = int(match.group(2)) - 1
                near = "\n".join(lines[max(0, line - 2):line + 3])
                exact = re.findall(r"gdsim_mutant\((\d+)\)", lines[line]) or re.findall(r"gdsim_mutant\((\d+)\)", near)
                numbers.update(int(n) for n in exact)
                break
    print(",".join(str(n) for n in sorted(numbers)))


def all_tests(build):
    """(name, command) of every test."""
    shown = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True,
                                      check=True).stdout)
    return [(t["name"], t["command"]) for t in shown["tests"] if "command" in t and not t["name"].startswith("package:")]


def run_test(command, environment, build, seconds):
    try:
        return subprocess.run(command, cwd=build, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return -1


def campaign(copy, build, jobs):
    """Writes results.json after every mutant; goes on where it was when called again."""
    build = Path(build).resolve()
    planted = json.loads((copy / "mutants.json").read_text())["mutants"]
    tests = all_tests(build)
    reach_file = copy / "reached.json"
    # Random tests draw the same each time: what a mutant changes is all that differs.
    fixed = {"RC_PARAMS": "seed=1"}
    if not reach_file.exists():
        reach = {}

        def reached_by(test):
            name, command = test
            note = copy / f"reached-{abs(hash(name))}"
            begun = time.monotonic()
            status = run_test(command, {**fixed, "GDSIM_MUTANTS_REACHED": str(note)}, build, 1200)
            seconds = time.monotonic() - begun
            numbers = sorted({int(n) for n in note.read_text().split()}) if note.exists() else []
            note.unlink(missing_ok=True)
            return name, {"status": status, "seconds": seconds, "reached": numbers}

        with ThreadPoolExecutor(jobs) as pool:
            for name, result in pool.map(reached_by, tests):
                reach[name] = result
                if result["status"] != 0:
                    print(f"without a mutant, this fails and is left out: {name}", flush=True)
        reach_file.write_text(json.dumps(reach, indent=1))
    reach = json.loads(reach_file.read_text())
    results_file = copy / "results.json"
    results = json.loads(results_file.read_text()) if results_file.exists() else {}

    def evaluate(mutant):
        number = str(mutant["number"])
        seen_by = [(name, command) for name, command in tests
                   if name in reach and reach[name]["status"] == 0 and mutant["number"] in reach[name]["reached"]]
        seen_by.sort(key=lambda test: reach[test[0]]["seconds"])
        for name, command in seen_by:
            limit = 60 + 20 * reach[name]["seconds"]
            status = run_test(command, {**fixed, "GDSIM_MUTANT": number}, build, limit)
            if status != 0:
                return number, {"killed_by": name, "status": status}
        return number, {"killed_by": None, "reached_by": len(seen_by)}

    left = [m for m in planted if str(m["number"]) not in results]
    with ThreadPoolExecutor(jobs) as pool:
        for number, result in pool.map(evaluate, left):
            results[number] = result
            results_file.write_text(json.dumps(results, indent=1))
            mutant = next(m for m in planted if m["number"] == int(number))
            print(f"{number}: {result['killed_by'] or 'SURVIVED'}: {mutant['file']}:{mutant['line']}: {mutant['what']}",
                  flush=True)
    killed = sum(1 for r in results.values() if r["killed_by"])
    print(f"{len(results)} mutants: {killed} killed, {len(results) - killed} survived; look at the survivors: those without "
          "effect do not count")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("plant")
    one.add_argument("copy", type=Path)
    one.add_argument("--count", type=int, default=150)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--drop", default="")
    one.add_argument("--within", default="")
    one = commands.add_parser("dropped")
    one.add_argument("log")
    one.add_argument("copy", type=Path)
    one = commands.add_parser("run")
    one.add_argument("copy", type=Path)
    one.add_argument("--build", required=True)
    one.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.command == "plant":
        plant(arguments.copy.resolve(), arguments.count, arguments.seed,
              {int(n) for n in arguments.drop.split(",") if n}, [w for w in arguments.within.split(",") if w])
    elif arguments.command == "dropped":
        dropped(arguments.log, arguments.copy.resolve())
    else:
        campaign(arguments.copy.resolve(), arguments.build, arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
