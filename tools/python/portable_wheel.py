#!/usr/bin/python3
"""Makes a wheel need nothing but glibc: puts the libraries that it links into it, and names the tag that is true of it.

    portable_wheel.py WHEEL FOLDER        `tools/package wheel` calls it

The libraries lie in `gdsim.libs`, under names with a digest of their contents, so that no other package's library of
the same name is taken for them. The tag is manylinux_2_X (PEP 600): X is the highest version of glibc's symbols that
any file asks for, found in the files.
"""

import base64
import csv
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# Parts of glibc, the same on every system whose glibc is new enough.
GLIBC = re.compile(r"^(lib(c|m|dl|rt|pthread|util|resolv|nsl|anl)\.so\.\d+|ld-linux-.*)$")


def output_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def needed(file):
    """Names of the libraries that the file asks the loader for, glibc's left out."""
    return [name for name in output_of("patchelf", "--print-needed", file).split() if not GLIBC.match(name)]


def paths_of_libraries(file):
    """Where the loader finds each library that the file, or one of these, needs."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", output_of("ldd", file), re.M)
    missing = re.findall(r"^\s*(\S+) => not found", output_of("ldd", file), re.M)
    if missing:
        sys.exit(f"portable_wheel.py: {file} needs {', '.join(missing)}, which is not found")
    return {name: Path(path) for name, path in found if not GLIBC.match(name)}


def bundle(module, folder):
    """Copies the module's libraries into the folder, and makes all of them find each other there."""
    folder.mkdir()
    names = {}
    for name, path in paths_of_libraries(module).items():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        stem, _, rest = name.partition(".so")
        names[name] = f"{stem}-{digest}.so{rest}"
        shutil.copyfile(path, folder / names[name])
    for own in names.values():
        (folder / own).chmod(0o755)
        subprocess.run(["patchelf", "--set-soname", own, "--set-rpath", "$ORIGIN", folder / own], check=True)
        rename_needed(folder / own, names)
    subprocess.run(["patchelf", "--set-rpath", f"$ORIGIN/../{folder.name}", module], check=True)
    rename_needed(module, names)


def rename_needed(file, names):
    for name in needed(file):
        subprocess.run(["patchelf", "--replace-needed", name, names[name], file], check=True)


def glibc_version(files):
    """The highest version of glibc's symbols that the files need, as (2, 34)."""
    versions = set()
    for file in files:
        versions |= set(re.findall(r"GLIBC_(\d+)\.(\d+)", output_of("objdump", "-T", file)))
    return max((int(major), int(minor)) for major, minor in versions)


def licences(folder, libraries):
    """The libraries' licences, as Debian has them."""
    for path in libraries:
        owner = subprocess.run(["dpkg-query", "-S", f"*/{path.name}"], capture_output=True, text=True).stdout
        package = owner.partition(":")[0]
        copyright_file = Path("/usr/share/doc") / package / "copyright"
        if package and copyright_file.exists():
            shutil.copyfile(copyright_file, folder / f"LICENSE.{package}")


def write_wheel(root, target):
    """Zips the folder with a RECORD of its files, in the same order and with the same times for the same contents."""
    record = next(root.glob("*.dist-info")) / "RECORD"
    rows = io.StringIO()
    lines = csv.writer(rows, lineterminator="\n")
    files = sorted(path for path in root.rglob("*") if path.is_file() and path != record)
    for path in files:
        data = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.writerow([path.relative_to(root).as_posix(), f"sha256={digest}", len(data)])
    lines.writerow([record.relative_to(root).as_posix(), "", ""])
    record.write_text(rows.getvalue())
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in [*files, record]:
            entry = zipfile.ZipInfo(path.relative_to(root).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, out = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(root)
        module = next((root / "gdsim").glob("_core*.so"))
        libraries = paths_of_libraries(module).values()
        bundle(module, root / "gdsim.libs")
        info = next(root.glob("*.dist-info"))
        licences(info, libraries)
        shared = [module, *sorted((root / "gdsim.libs").iterdir())]
        left = {name for file in shared for name in needed(file)} - {file.name for file in shared}
        if left:
            sys.exit(f"portable_wheel.py: {', '.join(sorted(left))} would still be asked for")
        python, abi, platform = wheel.stem.split("-")[-3:]
        platform = platform.replace("linux", "manylinux_{}_{}".format(*glibc_version(shared)), 1)
        description = info / "WHEEL"
        description.write_text(re.sub(r"^Tag: .*$", f"Tag: {python}-{abi}-{platform}", description.read_text(), flags=re.M))
        target = out / "-".join([*wheel.stem.split("-")[:-1], platform + ".whl"])
        write_wheel(root, target)
    print(target)


if __name__ == "__main__":
    main()
