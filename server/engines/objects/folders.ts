import { mkdir } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "../wal/sync-folder";

/** More folders than these are synced again. */
const KNOWN_MAX = 50_000;

/** Makes the names in folders below a root durable; concurrent syncs of a folder are one. */
export class Folders {
  /** Contains every folder that is synced. */
  readonly #root: string;
  /** Folders whose own names are durable. */
  readonly #known = new Set<string>();
  readonly #syncs = new Map<string, { running: Promise<void>; next: Promise<void> | undefined }>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Creates a folder that does not exist (again). */
  async create(dir: string): Promise<void> {
    this.#known.delete(dir);
    await mkdir(dir, { recursive: true, mode: 0o700 });
  }

  /** Returns when every name that is now in the folder, and the folder itself, survives a loss of power. */
  async sync(dir: string): Promise<void> {
    if (this.#known.has(dir)) return this.#syncOne(dir);
    const above: string[] = [];
    for (let parent = dir; parent !== this.#root; ) {
      parent = path.dirname(parent);
      above.push(parent);
    }
    await Promise.all([dir, ...above].map((each) => this.#syncOne(each)));
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.add(dir);
  }

  /** A sync that runs may have begun too early, so all who come meanwhile wait for one after it. */
  #syncOne(dir: string): Promise<void> {
    const sync = this.#syncs.get(dir);
    if (!sync) {
      const running = this.#start(dir);
      this.#syncs.set(dir, { running, next: undefined });
      return running;
    }
    sync.next ??= sync.running
      .catch(() => undefined)
      .then(() => {
        const running = this.#start(dir);
        this.#syncs.set(dir, { running, next: undefined });
        return running;
      });
    return sync.next;
  }

  #start(dir: string): Promise<void> {
    const running = syncFolder(dir).finally(() => {
      const sync = this.#syncs.get(dir);
      if (sync?.running === running && sync.next === undefined) this.#syncs.delete(dir);
    });
    return running;
  }
}
