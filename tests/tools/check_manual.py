#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the build makes of the command's words: check_manual.py GRAVLET FOLDER PAGE

The man page has every key, kind and subcommand that the command has, and man formats it without a warning; bash and, where they
are, fish and zsh complete all of them. The page of the reference that is committed is the one that the build has written.
"""
import difflib
import os
import pathlib
import pty
import shutil
import subprocess
import sys

gravlet, folder, committed = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def output(*words, **more):
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    assert done.returncode == 0 and not done.stderr, (words[:3], done.returncode, done.stderr)
    return done.stdout


def names(*words):
    return {line.split()[0] for line in output(gravlet, *words).splitlines()}


KEYS, KINDS = names("help"), names("problems")
BOUNDARIES = {"isolated", "periodic", "mirror_lower", "mirror_upper"}
COMMANDS = {"run", "evolve", "info", "options", "problems", "help"}


def of(*sections):
    return {key for key in KEYS if key.split(".")[0] in sections}


def bash(*words, split=True):
    """What bash offers for the last word, `=` being a word by itself or not."""
    all_words = [part for word in words for part in (word.replace("=", "\n=\n").split("\n") if split and "=" in word else [word])]
    if split and words[-1].endswith("="):
        all_words.pop()
    text = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gravlet; printf "%s\\n" "${COMPREPLY[@]}"'
    return set(output("bash", "--norc", "--noprofile", "-c", text, "-", folder / "gravlet.bash", "gravlet", *all_words,
                      cwd=folder).split())


def same(found, wanted):
    assert found == set(wanted), f"not offered: {set(wanted) - found}; offered: {found - set(wanted)}"


def check_man():
    if not shutil.which("man"):
        return "no man"
    page = output("man", "--warnings", "-E", "ascii", "-l", folder / "gravlet.1", env={"MANWIDTH": "200", "PATH": "/usr/bin:/bin"})
    lines = {line.strip().split()[0] for line in page.splitlines() if line.strip()}
    assert (KEYS | KINDS | COMMANDS) <= lines, (KEYS | KINDS | COMMANDS) - lines
    return "man"


def check_bash():
    same(bash(""), COMMANDS | {"--help", "--version"})
    same(bash("ev"), ["evolve"])
    same(bash("problems", ""), KINDS | {"--help"})
    same(bash("help", ""), KEYS | {key.split(".")[0] for key in KEYS} | {"--help"})
    same(bash("help", "compare.s"), ["compare.samples"])
    same(bash("info", ""), ["--help"])
    same(bash("run", "a.yaml", "--"), ["--set", "--json", "--help"])
    same(bash("run", "a.yaml", "--set", ""), {key + "=" for key in of("problem", "solver", "run", "compare", "output")
                                              - {"output.log", "output.sub_steps", "output.snapshots", "output.every",
                                                 "output.strip", "output.energy"}})
    moving = {key[:-1] for key in bash("evolve", "a.yaml", "--set", "")}
    assert of("problem", "evolve") <= moving <= of("problem", "solver", "evolve", "output"), moving
    assert "solver.acceleration" not in moving and "output.snapshots" in moving, moving
    for words in (["--set", "solver.boundary="], ["--set=solver.boundary="]):
        same(bash("run", "a.yaml", *words), BOUNDARIES)
    same(bash("run", "a.yaml", "--set", "solver.wrap="), ["true", "false"])
    same(bash("run", "a.yaml", "--set", "solver.boundary=per"), ["periodic"])
    same(bash("run", "a.yaml", "--set", "solver.boundary=per", split=False), ["solver.boundary=periodic"])
    same(bash("run", "a.yaml", "--set", "problem.kind="), KINDS)
    same(bash("run", "a.yaml", "--set=compare.h"), ["compare.hunt="])
    same(bash("run", "a.yaml", "--set", "solver.theta="), [])
    same(bash("evolve", "a.yaml", "--set", "evolve.restart=gravlet.ba"), ["gravlet.bash"])
    same(bash("run", "a.yaml", "--json", "gravlet.f"), ["gravlet.fish"])
    example = folder / "an_example.yaml"
    example.write_text("")
    same(bash("run", "an_"), ["an_example.yaml"])
    example.unlink()
    return "bash"


def check_fish():
    if not shutil.which("fish"):
        return "no fish"

    def fish(line):
        text = output("fish", "--no-config", "-c", f"source {folder / 'gravlet.fish'}; complete -C '{line}'", cwd=folder)
        return {one.split("\t")[0] for one in text.splitlines()}

    same(fish("gravlet "), COMMANDS)
    same(fish("gravlet problems "), KINDS)
    same(fish("gravlet help compare.s"), ["compare.samples"])
    for begin in ("--set ", "--set="):
        boundaries = {begin.removesuffix("--set ") + "solver.boundary=" + word for word in BOUNDARIES}
        same(fish(f"gravlet run a.yaml {begin}solver.boundary="), boundaries)
    same(fish("gravlet evolve a.yaml --set output.hdf5=gravlet.ba"), ["output.hdf5=gravlet.bash"])
    same(fish("gravlet run a.yaml --set "), bash("run", "a.yaml", "--set", ""))
    same(fish("gravlet evolve a.yaml --set "), bash("evolve", "a.yaml", "--set", ""))
    same(fish("gravlet run --"), ["--set", "--json", "--help"])
    return "fish"


def check_zsh():
    if not shutil.which("zsh"):
        return "no zsh"
    found = folder / "zsh_found"
    setup = folder / "zsh_setup"
    setup.write_text(f"""PROMPT= fpath=({folder} $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {{
    if [[ ${{@[1,(i)(-|--)]}} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -O hits "$@"
    print -l -- $IPREFIX$^hits >>{found}
    builtin compadd "$@"
}}
complete_and_end() {{ zle complete-word; exit }}
zle -N complete_and_end
bindkey '^I' complete_and_end
""")

    def zsh(line):
        """What it offers, on a terminal: it completes nowhere else."""
        found.write_text("")
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.execvp("zsh", ["zsh", "-f", "-i"])
        os.write(terminal, f"source {setup}\n{line}\t".encode())
        try:
            while os.read(terminal, 4096):
                pass
        except OSError:  # the end
            pass
        os.close(terminal)
        os.waitpid(child, 0)
        return set(found.read_text().split())

    same(zsh("gravlet "), COMMANDS)
    same(zsh("gravlet problems "), KINDS)
    same(zsh("gravlet help compare.s"), ["compare.samples"])
    same(zsh("gravlet run a.yaml --"), ["--set", "--json", "--help"])
    for command in ("run", "evolve"):
        same(zsh(f"gravlet {command} a.yaml --set "), {key[:-1] for key in bash(command, "a.yaml", "--set", "")})
    for begin in ("--set ", "--set="):
        boundaries = {begin.removesuffix("--set ") + "solver.boundary=" + word for word in BOUNDARIES}
        same(zsh(f"gravlet run a.yaml {begin}solver.boundary="), boundaries)
    same(zsh("gravlet evolve a.yaml --set output.hdf5=gravlet.ba"), ["output.hdf5=gravlet.bash"])
    same(zsh("gravlet run a.yaml --json gravlet.f"), ["gravlet.fish"])
    found.unlink()
    setup.unlink()
    return "zsh"


def check_page():
    fresh = folder / "command.md"
    old, new = (path.read_text(encoding="utf-8").splitlines(keepends=True) for path in (committed, fresh))
    sys.stdout.writelines(difflib.unified_diff(old, new, str(committed), str(fresh)))
    assert old == new, f"not what the command says of itself: cp {fresh} {committed}"
    missing = {key.split(".")[1] for key in KEYS} - {line.split("`")[1] for line in new if line.startswith("| `")}
    assert missing <= names("options") | {"kind"}, missing
    headings = {line.strip("#` \n") for line in new if line.startswith("### ")}
    assert KINDS == headings, KINDS ^ headings
    return "page"


print("checked:", check_man(), check_bash(), check_fish(), check_zsh(), check_page())
