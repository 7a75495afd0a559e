import { chownSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../kernel/secrets";

const NOBODY = { uid: 65_534, gid: 65_534 };

/** Ids that neither systemd nor Debian assigns: https://systemd.io/UIDS-GIDS. Containers map them too. */
const FREE_IDS = { first: 60_578, count: 606 };

interface Ids {
  uid: number;
  gid: number;
}

/** The user of the Postgres server; without ids, the user of this process. */
export interface ServerUser {
  uid?: number | undefined;
  gid?: number | undefined;
}

/**
 * PostgreSQL does not run as root. In that case it runs as the user that owns the cluster, or else as a user id of its
 * own, which no other program has. The owner of a cluster that belongs to root (for example one restored from a copy)
 * or to the shared user `anyUnprivilegedUser` is changed. Call it while the server is stopped.
 */
export function chooseServerUser(cluster: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  if (!existsSync(cluster)) return freeUser(cluster);
  const { uid, gid } = statSync(cluster);
  if (uid !== 0 && uid !== anyUnprivilegedUser().uid) return { uid, gid };
  const user = freeUser(cluster);
  changeOwner(cluster, user);
  return user;
}

/** An id that no user, group or process has; the same each time for a cluster unless it has been taken meanwhile. */
function freeUser(cluster: string): Ids {
  const taken = takenIds();
  const start = Number.parseInt(sha256(path.resolve(cluster)).slice(0, 8), 16);
  for (let step = 0; step < FREE_IDS.count; step++) {
    const id = FREE_IDS.first + ((start + step) % FREE_IDS.count);
    if (!taken.has(id)) return { uid: id, gid: id };
  }
  return anyUnprivilegedUser();
}

function takenIds(): Set<number> {
  const listed = ["/etc/passwd", "/etc/group"]
    .flatMap((file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []))
    .flatMap((line) => line.split(":").slice(2, 4).map(Number));
  const processes = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return new Set([...listed, ...processes.flatMap((pid) => idsOf(`/proc/${pid}`))]);
}

/** Empty for a process that has ended meanwhile. */
function idsOf(file: string): number[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? [stat.uid, stat.gid] : [];
}

/** The first user of the password file that is not root, for cases in which any name will do. */
export function anyUnprivilegedUser(): Ids {
  if (!existsSync("/etc/passwd")) return NOBODY;
  const rows = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const row = rows.find(([name]) => name === "nobody");
  const [uid, gid] = [Number(row?.[2]), Number(row?.[3])];
  return uid > 0 && gid > 0 ? { uid, gid } : NOBODY;
}

/** The folder itself comes last, so that an interrupted change of owner is repeated. */
export function changeOwner(dir: string, { uid, gid }: Ids): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) changeOwner(file, { uid, gid });
    else lchownSync(file, uid, gid);
  }
  chownSync(dir, uid, gid);
}

/**
 * How a server program refers to its data folder. Another user may have no access to the parents of the folder, but a
 * process can always use its own working directory, and needs no other path.
 */
export const clusterArgument = (cluster: string, { uid }: ServerUser): string =>
  uid !== undefined && process.platform === "linux" ? "/proc/self/cwd" : cluster;
