"""What runs inside the second tier: filters system calls, sets limits, runs the program, writes its value to a pipe.

It stands alone in the sandbox beside `values.py`; arguments: the number of the pipe. The job comes on standard input
as JSON: `{code, inputs, cpu_seconds, memory_bytes}`.
"""

import ast
import ctypes
import errno
import hashlib
import json
import os
import resource
import sys
from typing import Any

_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_REFUSED_CALLS = (
    "accept accept4 acct add_key bind bpf chmod chown chroot clone clone3 connect creat delete_module execve execveat "
    "fanotify_init fchmod fchmodat fchown fchownat finit_module fork init_module inotify_init inotify_init1 "
    "io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl kill lchown "
    "link linkat listen lookup_dcookie memfd_create mkdir mkdirat mknod mknodat mount move_mount name_to_handle_at "
    "open_by_handle_at open_tree perf_event_open pidfd_getfd pidfd_open pidfd_send_signal pivot_root prctl ptrace "
    "process_vm_readv process_vm_writev quotactl reboot recvfrom recvmmsg recvmsg rename renameat renameat2 "
    "request_key rmdir rt_sigqueueinfo sendmmsg sendmsg sendto setdomainname sethostname setns setrlimit settimeofday "
    "setuid setgid setreuid setregid setresuid setresgid setsid shmat shmctl shmget socket socketpair swapoff swapon "
    "symlink symlinkat syslog tgkill timer_create tkill truncate umount2 unlink unlinkat unshare userfaultfd utime "
    "utimensat vfork vhangup"
)


def filter_calls() -> None:
    """Refuse the system calls that a calculation never makes."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    for name in ("seccomp_rule_add", "seccomp_load"):
        getattr(library, name).restype = ctypes.c_int
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOW)))
    for name in _REFUSED_CALLS.split():
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            library.seccomp_rule_add(context, ctypes.c_uint32(_REFUSE), ctypes.c_int(number), ctypes.c_uint(0))
    if library.seccomp_load(context) != 0:
        raise OSError("the filter of system calls could not be loaded")


def limit(job: dict[str, Any]) -> None:
    """Limit time, memory, files and what is written."""
    seconds = max(1, int(job["cpu_seconds"] + 0.999))
    for kind, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, job["memory_bytes"]),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 32),
    ):
        resource.setrlimit(kind, (value, value))
    sys.setrecursionlimit(500)


def value_of(code: str, scope: dict[str, Any]) -> Any:
    """Run a program; return `answer`, else the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, "main.py", "exec"), scope)  # noqa: S102 - this is the sandbox
    value = None
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "main.py", "eval"), scope)  # noqa: S307
    return scope.get("answer", value)


def repeat_chance() -> None:
    """Let chance repeat itself, also numpy's: what draws from the system draws the same bytes each time."""
    state = hashlib.sha256(b"bizgym").digest()

    def bytes_of(size: int) -> bytes:
        nonlocal state
        drawn = b""
        while len(drawn) < size:
            state = hashlib.sha256(state).digest()
            drawn += state
        return drawn[:size]

    os.urandom = bytes_of
    import random

    random.seed(0)


def main() -> None:
    """Read the job, run it, report `{status, value, error}`."""
    pipe = int(sys.argv[1])
    job = json.load(sys.stdin)
    repeat_chance()
    sys.path[:0] = ["/sandbox", "/packages"]
    from values import text_of_value  # type: ignore[import-not-found]

    filter_calls()
    limit(job)
    report = {"status": "ok", "value": "", "error": ""}
    try:
        value = value_of(job["code"], {"__name__": "__main__", **job["inputs"]})
        if value is None:
            report = {"status": "error", "value": "", "error": "the program has no value: end it with an expression"}
        else:
            report["value"] = text_of_value(value)
    except MemoryError:
        report = {"status": "memory_limit", "value": "", "error": "MemoryError"}
    except ModuleNotFoundError as error:
        report = {"status": "unsupported", "value": "", "error": f"ModuleNotFoundError: {error}"}
    except BaseException as error:
        frame = error.__traceback__
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        line = f" (line {frame.tb_lineno})" if frame is not None else ""
        report = {"status": "error", "value": "", "error": f"{type(error).__name__}: {error}{line}"[:2000]}
    sys.stdout.flush()
    os.write(pipe, json.dumps(report).encode())
    os._exit(0)


main()
