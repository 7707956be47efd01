#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The source distribution has what git has, but for hidden files: sdist.py ROOT WORK"""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tarfile

root, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])


def skip(why):
    print("skipped:", why)
    sys.exit()


if importlib.util.find_spec("setuptools") is None:
    skip(f"{sys.executable} has no setuptools")
if not (root / ".git").exists() or shutil.which("git") is None:
    skip("no git checkout to compare with")


def listed(*arguments):
    run = subprocess.run(["git", "-C", root, "ls-files", "-z", *arguments], capture_output=True, text=True)
    if run.returncode != 0:
        skip(f"git ls-files: {run.stderr.strip()}")
    return {name for name in run.stdout.split("\0") if name and (root / name).is_file()}


wanted = {name for name in listed() if not name.startswith(".")}
known = wanted | listed("--others", "--exclude-standard")

shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
subprocess.check_call([sys.executable, "setup.py", "-q", "egg_info", "--egg-base", work, "sdist", "-d", work], cwd=root)
archive, = work.glob("*.tar.gz")
with tarfile.open(archive) as tar:
    held = {name.partition("/")[2] for name in (member.name for member in tar if member.isfile())}
missing = sorted(wanted - held)
foreign = sorted(name for name in held - known - {"PKG-INFO", "setup.cfg", ".clang-format"}
                 if "egg-info/" not in name and not name.startswith("third_party/"))
print(f"{archive.name}: {len(held)} files; missing: {missing}; that git does not know or ignores: {foreign}")
sys.exit(bool(missing or foreign))
