import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process and all its descendants; Linux only. */
export function processTree(root: number): number[] {
  const all = allProcesses().map((pid) => ({ pid, parent: parentOf(pid) }));
  const tree = [root];
  for (const pid of tree) tree.push(...all.filter(({ parent }) => parent === pid).map((child) => child.pid));
  return tree;
}

export const childrenOf = (parent: number): number[] => allProcesses().filter((pid) => parentOf(pid) === parent);

const allProcesses = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function parentOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Empty for a process that has ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
export const environmentOf = (pid: number): string => textOf(`/proc/${pid}/environ`);

export interface Listener {
  pid: number;
  kind: "tcp" | "tcp6" | "udp" | "udp6" | "unix";
  /** The address as the kernel writes it, or the path of a Unix socket. */
  address: string;
  /** 0 for a Unix socket. */
  port: number;
}

/** Sockets of these processes that accept connections or datagrams, one entry per socket. */
export function listenersOf(pids: readonly number[]): Listener[] {
  const found = new Map<string, Listener>();
  for (const pid of pids) {
    const own = socketsOf(pid);
    for (const { inode, ...socket } of [...internetListeners(pid), ...unixListeners(pid)]) {
      if (own.has(inode) && !found.has(inode)) found.set(inode, { pid, ...socket });
    }
  }
  return [...found.values()];
}

function socketsOf(pid: number): Set<string> {
  const inodes = descriptorsOf(pid).map((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? "";
    } catch {
      return "";
    }
  });
  return new Set(inodes.filter(Boolean));
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

type Row = Omit<Listener, "pid"> & { inode: string };

/** State 0A is LISTEN; a bound UDP socket without a peer has 07. */
function internetListeners(pid: number): Row[] {
  return (["tcp", "tcp6", "udp", "udp6"] as const).flatMap((kind) =>
    rowsOf(`/proc/${pid}/net/${kind}`)
      .filter(([, , , state]) => state === (kind.startsWith("tcp") ? "0A" : "07"))
      .map((row) => {
        const [address = "", port = ""] = row[1]?.split(":") ?? [];
        return { kind, address, port: Number.parseInt(port, 16), inode: row[9] ?? "" };
      }),
  );
}

/** The flag 00010000 is SO_ACCEPTCON. */
const unixListeners = (pid: number): Row[] =>
  rowsOf(`/proc/${pid}/net/unix`)
    .filter((row) => row[3] === "00010000")
    .map((row) => ({ kind: "unix", address: row[7] ?? "", port: 0, inode: row[6] ?? "" }));

const rowsOf = (file: string): string[][] =>
  textOf(file)
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
