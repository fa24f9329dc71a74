"""Roots of Debian made with debootstrap, and commands in them. scripts/prove-debian, prove-dist and prove-dockerfile use it."""
import pathlib
import shlex
import shutil
import subprocess

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SUITES = {"bookworm": "12", "trixie": "13"}
# The files of this machine that say how it reaches packages: settings of apt and pip, and its own certificates.
NETWORK = ("etc/resolv.conf", "etc/apt/apt.conf.d", "etc/pip.conf", "usr/local/share/ca-certificates")


def call(*words, **more):
    subprocess.run([str(word) for word in words], check=True, **more)


def base(roots, mirror=None, suite="bookworm"):
    """Debian's minimal system, created once in the folder, with the package sources of this machine."""
    root = roots / f"base-{suite}"
    if not (root / "made").exists():
        shutil.rmtree(root, ignore_errors=True)
        call("debootstrap", "--variant=minbase", suite, root, *([mirror] if mirror else []))
        add_sources(root, suite)
        for path in NETWORK:
            copy_from_machine(root, path)
        (root / "made").touch()
    return root


def add_sources(root, suite):
    """Debian's own package sources of this machine, for the suite. Those of others are for one suite only."""
    file = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
    if file.exists():
        (root / "etc/apt/sources.list.d/debian.sources").write_text(of_suite(file.read_text(), suite))
        (root / "etc/apt/sources.list").write_text("")


def of_suite(sources, suite):
    """The text of the machine's sources with the suite in place of the machine's, as in `bookworm-security`."""
    own = next(line.split("=", 1)[1] for line in open("/etc/os-release") if line.startswith("VERSION_CODENAME=")).strip()
    return "\n".join(line.replace(own, suite) if line.startswith("Suites:") else line for line in sources.splitlines()) + "\n"


def copy_from_machine(root, path):
    source, target = pathlib.Path("/") / path, root / path
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True)
    elif source.exists():
        shutil.copy(source, target)


def fresh(roots, name, mirror=None, suite="bookworm"):
    """A copy of the minimal system, in place of an earlier one of that name."""
    root = roots / name
    shutil.rmtree(root, ignore_errors=True)
    call("cp", "-a", base(roots, mirror, suite), root)  # which knows devices from files
    return root


def run(root, command, variables=None, folder="/", user=None, mounts=(), **more):
    """Runs a command of the shell in a separate mount namespace, so nothing stays mounted when it ends.

    mounts: pairs of a folder of this machine and one of the root, besides /proc and /dev.
    """
    bound = [("/proc", root / "proc"), ("/dev", root / "dev"), *mounts]
    variables = {"HOME": f"/home/{user}" if user else "/root", "PATH": PATH, **(variables or {})}
    variables["DEBIAN_FRONTEND"] = "noninteractive"
    words = ["chroot", *([f"--userspec={user}:{user}"] if user else []), str(root), "/usr/bin/env", "-i"]
    words += [f"{name}={value}" for name, value in variables.items()]
    words += ["/bin/sh", "-c", f"cd {shlex.quote(folder)} && {command}"]
    steps = [f"mount --rbind {shlex.quote(str(source))} {shlex.quote(str(target))}" for source, target in bound]
    call("unshare", "--mount", "sh", "-c", " && ".join(steps) + " && exec " + shlex.join(words), **more)
