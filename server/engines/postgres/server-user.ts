import { chownSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const NOBODY = { uid: 65_534, gid: 65_534 };

/** Who the Postgres server runs as; without ids, the user of this process. */
export interface ServerUser {
  uid?: number | undefined;
  gid?: number | undefined;
}

/**
 * PostgreSQL refuses to run as root: then it runs as whoever owns the cluster already, else as `nobody`. A cluster that
 * root owns (restored from a copy, say) is handed over.
 */
export function chooseServerUser(cluster: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  if (!existsSync(cluster)) return nobody();
  const { uid, gid } = statSync(cluster);
  if (uid !== 0) return { uid, gid };
  giveTo(cluster, nobody());
  return nobody();
}

/** The first user of the password file that is not root; any such name will do where only a name is needed. */
export function nobody(): { uid: number; gid: number } {
  if (!existsSync("/etc/passwd")) return NOBODY;
  const rows = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const row = rows.find(([name]) => name === "nobody");
  const [uid, gid] = [Number(row?.[2]), Number(row?.[3])];
  return uid > 0 && gid > 0 ? { uid, gid } : NOBODY;
}

function giveTo(dir: string, { uid, gid }: { uid: number; gid: number }): void {
  chownSync(dir, uid, gid);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) giveTo(file, { uid, gid });
    else lchownSync(file, uid, gid);
  }
}

/**
 * How a server program names its data folder. Under another user the parents of the folder may be closed to it, yet a
 * process can always enter its own working directory, and needs no path but this one.
 */
export const clusterArgument = (cluster: string, { uid }: ServerUser): string =>
  uid !== undefined && process.platform === "linux" ? "/proc/self/cwd" : cluster;
