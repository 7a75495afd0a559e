import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "./sync-folder";
import { Wal, type WalOptions } from "./wal";

export interface WalVolumes {
  /** The log that this process appends to; it may still hold lines of a process before. */
  own: Wal;
  /** Logs of ended processes that still hold lines: deliver them, then `remove()` each. */
  leftovers: Wal[];
  /** Looks again for such logs (a sibling may have ended since); answers only newly opened ones. */
  adoptLeftovers(): Promise<Wal[]>;
  /** Closes every log that was opened here and not removed. */
  close(): Promise<void>;
}

/**
 * Opens the first volume `<walRoot>/<n>` that no living process holds, and whatever other volumes ended processes left.
 * Any number of processes of one machine may share a `walRoot`; each gets a volume of its own.
 */
export async function openWal(walRoot: string, options: WalOptions = {}): Promise<WalVolumes> {
  await mkdir(walRoot, { recursive: true });
  await syncFolder(path.dirname(walRoot));
  const own = await openOwn(walRoot, options);
  const opened = [own];
  const adoptLeftovers = async () => {
    const found = await adopt(walRoot, options);
    opened.push(...found);
    return found;
  };
  const close = async () => {
    for (const wal of opened) await wal.close();
  };
  try {
    return { own, leftovers: await adoptLeftovers(), adoptLeftovers, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function openOwn(walRoot: string, options: WalOptions): Promise<Wal> {
  for (let number = 0; ; number++) {
    const wal = await Wal.tryOpen(path.join(walRoot, `${number}`), { ...options, lockTries: 2 });
    if (wal) return wal;
  }
}

async function adopt(walRoot: string, options: WalOptions): Promise<Wal[]> {
  const adopted: Wal[] = [];
  try {
    for (const name of await readdir(walRoot)) {
      const dir = path.join(walRoot, name);
      // The rest of a removal that a crash cut short.
      if (name.includes(".removed-")) await rm(dir, { recursive: true, force: true });
      if (!/^\d+$/.test(name)) continue;
      const wal = await Wal.tryOpen(dir, { ...options, lockTries: 1 });
      if (wal && wal.waitingBytes > 0) adopted.push(wal);
      else await wal?.remove().finally(() => wal.close());
    }
    return adopted;
  } catch (cause) {
    for (const wal of adopted) await wal.close();
    throw cause;
  }
}
