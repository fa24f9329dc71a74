"""Roots of Debian made with debootstrap, and commands in them. scripts/prove-dockerfile and scripts/prove-dist use it."""
import pathlib
import shlex
import shutil
import subprocess

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def call(*words, **more):
    subprocess.run([str(word) for word in words], check=True, **more)


def base(roots, mirror=None):
    """Debian's minimal system, created once in the folder, with the package sources of this machine."""
    root = roots / "base"
    if not (root / "made").exists():
        shutil.rmtree(root, ignore_errors=True)
        call("debootstrap", "--variant=minbase", "bookworm", root, *([mirror] if mirror else []))
        for path in ("etc/apt/sources.list.d", "etc/apt/apt.conf.d"):
            shutil.copytree(f"/{path}", root / path, dirs_exist_ok=True, symlinks=True)
        if (root / "etc/apt/sources.list.d/debian.sources").exists():
            (root / "etc/apt/sources.list").write_text("")
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        (root / "made").touch()
    return root


def fresh(roots, name, mirror=None):
    """A copy of the minimal system, in place of an earlier one of that name."""
    root = roots / name
    shutil.rmtree(root, ignore_errors=True)
    call("cp", "-a", base(roots, mirror), root)  # which knows devices from files
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
