// Landlock, a sandbox of the Linux kernel that needs no privileges: https://docs.kernel.org/userspace-api/landlock.html
import { closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { DataType, load, open } from "ffi-rs";

/** Numbers of system calls, the same on every architecture. */
const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;

const ASK_VERSION = 1;
/** Earlier versions deny every rename from one folder to another. */
const VERSION_MIN = 2;
const NETWORK_SINCE = 4;

const RULE_FOR_PATH = 1;
const RULE_FOR_PORT = 2;
const EXECUTE = 1n;
const READ_FILE = 0b100n;
const READ = 0b1100n;
const BIND_TCP = 1n;
const CONNECT_TCP = 2n;
const PR_SET_NO_NEW_PRIVS = 38;

/**
 * Limits this thread, and the threads that it creates from now on, to the files under `dir`, to reading under the paths
 * `readable`, and to listening on `port`. It can open no other TCP connection and run no program. Returns what is
 * limited: "nothing" if the kernel has no Landlock of version 2 (Linux 5.19), "files" if it lacks version 4 (Linux
 * 6.7).
 * @param {{ dir: string, readable: readonly string[], port: number }} allowed
 * @returns {"nothing" | "files" | "files_and_network"}
 */
export function confineThread({ dir, readable, port }) {
  const version = process.platform === "linux" ? landlockVersion() : 0;
  if (version < VERSION_MIN) return "nothing";
  const files = fileRights(version);
  const hasNetwork = version >= NETWORK_SINCE;
  const handled = hasNetwork ? [files, BIND_TCP | CONNECT_TCP] : [files];
  const ruleset = must(syscall(CREATE_RULESET, struct(handled), handled.length * 8, 0));
  allow(ruleset, dir, files & ~EXECUTE);
  for (const path of readable) allow(ruleset, path, READ);
  if (hasNetwork) must(syscall(ADD_RULE, ruleset, RULE_FOR_PORT, struct([BIND_TCP, BigInt(port)]), 0));
  must(call("prctl", [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0]));
  must(syscall(RESTRICT_SELF, ruleset, 0));
  closeSync(ruleset);
  return hasNetwork ? "files_and_network" : "files";
}

/** 0 or less if the kernel has no Landlock or does not let this process use it; Linux only. */
export function landlockVersion() {
  open({ library: "libc", path: "libc.so.6" });
  return syscall(CREATE_RULESET, 0, 0, ASK_VERSION);
}

/** Every right that a version supports: 13 at first, and one more each in versions 2, 3 and 5. */
function fileRights(version) {
  const count = 13 + [2, 3, 5].filter((since) => version >= since).length;
  return (1n << BigInt(count)) - 1n;
}

/** The rights apply to everything below a folder; a path that does not exist on this machine is skipped. */
function allow(ruleset, path, rights) {
  if (!existsSync(path)) return;
  const own = statSync(path).isDirectory() ? rights : rights & READ_FILE;
  const fd = openSync(path, constants.O_RDONLY);
  must(syscall(ADD_RULE, ruleset, RULE_FOR_PATH, struct([own, BigInt(fd)]), 0));
  closeSync(fd);
}

/**
 * The kernel's structures here are consecutive 64-bit numbers; it reads only the bytes of the last one that it needs.
 */
const struct = (numbers) => Buffer.from(BigUint64Array.from(numbers).buffer);

const syscall = (...args) => call("syscall", args);

const call = (funcName, args) =>
  load({
    library: "libc",
    funcName,
    retType: DataType.I64,
    paramsType: args.map((arg) => (Buffer.isBuffer(arg) ? DataType.U8Array : DataType.I64)),
    paramsValue: args,
  });

function must(result) {
  if (result < 0) throw new Error("The kernel supports Landlock but failed to restrict the embedded ClickHouse.");
  return result;
}
