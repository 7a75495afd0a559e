import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../../kernel/clock";
import { KeyedQueue, TaskQueue } from "../../../kernel/keyed-queue";
import { codeOf, exists } from "../../file-failures";
import { RuntimeError } from "../runtime";
import { hasSpace } from "./image-space";

export interface LayerCacheParts {
  /** Absolute; only this cache writes there. */
  dir: string;
  bytesMax: number;
  clock: Clock;
  /** Keys of layers that workloads use. */
  inUse: () => Promise<ReadonlySet<string>>;
  /** Deletes a folder whose files belong to others. */
  deleteFolder: (folder: string) => Promise<void>;
}

export interface LayerToLease {
  /** Of `keyOfLayers`. */
  key: string;
  /** Whom it is counted for if it is filled now. */
  owner: string;
}

/** A layer that is not evicted until it is released. */
export interface LayerLease {
  key: string;
  /** The folder with the unpacked files. */
  folder: string;
  release(): void;
}

/** Writes the files of a layer into an empty folder, and returns how many bytes of disk they need. */
export type FillLayer = (folder: string) => Promise<number>;

/** Until it has its name, a layer is in a folder of this kind, and so is one that is being deleted. */
const TEMPORARY = ".tmp-";
const SIZE_FILE = "bytes";
const OWNER_FILE = "owner";
const FILES = "files";

/**
 * Unpacked layers by key (`keyOfLayers`); evicts the least recently used ones beyond a size. Survives restarts. Layers
 * that are being unpacked are not counted.
 */
export class LayerCache {
  readonly #pins = new Map<string, number>();
  /** Layers that are being written or deleted. */
  readonly #changing = new KeyedQueue();
  /** One at a time, because each one counts all that are there. */
  readonly #admissions = new TaskQueue();

  constructor(readonly parts: LayerCacheParts) {}

  /** The key of a layer by the folder of its files. */
  static keyOf(folder: string): string {
    return path.basename(path.dirname(folder)).replace("-", ":");
  }

  /** Makes the folder, and deletes what an earlier process left unfinished. */
  async open(): Promise<void> {
    const { dir, deleteFolder } = this.parts;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const names = await readdir(dir);
    for (const name of names) if (name.startsWith(TEMPORARY)) await deleteFolder(path.join(dir, name));
  }

  /**
   * A layer, which `fill` writes if it is not in the cache; concurrent calls fill it once. Rejects with
   * `image_too_large` if the layers in use leave no space for it, and with the reason of `signal` while another call
   * fills it; `fill` ends by itself.
   */
  async lease(layer: LayerToLease, fill: FillLayer, signal: AbortSignal): Promise<LayerLease> {
    const { key } = layer;
    this.#pins.set(key, (this.#pins.get(key) ?? 0) + 1);
    try {
      await this.#ensure(layer, fill, signal);
      const now = this.parts.clock.now();
      await utimes(this.#sizeFile(key), now, now);
    } catch (cause) {
      this.#unpin(key);
      throw cause;
    }
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#unpin(key);
      isReleased = true;
    };
    return { key, folder: path.join(this.#folder(key), FILES), release };
  }

  /** Whether a layer is complete in the cache. */
  has(key: string): Promise<boolean> {
    return exists(this.#sizeFile(key));
  }

  /** Counts a layer as just used, and returns its bytes on the disk; undefined if it is not in the cache. */
  async touch(key: string): Promise<number | undefined> {
    const now = this.parts.clock.now();
    try {
      await utimes(this.#sizeFile(key), now, now);
      return Number(await readFile(this.#sizeFile(key), "utf8"));
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return undefined;
      throw cause;
    }
  }

  #ensure(layer: LayerToLease, fill: FillLayer, signal: AbortSignal): Promise<void> {
    const unlessThere = async () => {
      if (!(await exists(this.#sizeFile(layer.key)))) await this.#fill(layer, fill);
    };
    return this.#changing.run(layer.key, unlessThere, signal);
  }

  async #fill({ key, owner }: LayerToLease, fill: FillLayer): Promise<void> {
    const draft = path.join(this.parts.dir, `${TEMPORARY}${randomUUID()}`);
    await mkdir(path.join(draft, FILES), { recursive: true });
    try {
      const bytes = await fill(path.join(draft, FILES));
      await writeFile(path.join(draft, OWNER_FILE), owner);
      await writeFile(path.join(draft, SIZE_FILE), String(bytes));
      await this.#admissions.run(async () => {
        await this.#makeSpace(bytes, owner);
        await rename(draft, this.#folder(key));
      });
    } catch (cause) {
      await this.parts.deleteFolder(draft);
      throw cause;
    }
  }

  async #makeSpace(bytes: number, owner: string): Promise<void> {
    const { bytesMax, inUse, deleteFolder, dir } = this.parts;
    const layers = (await this.#layers()).sort((a, b) => a.usedAt - b.usedAt);
    let total = layers.reduce((sum, layer) => sum + layer.bytes, bytes);
    let ownBytes = bytes;
    const used = await inUse();
    for (const layer of layers) {
      if (total <= bytesMax) return;
      const isInUse = used.has(layer.key) || this.#pins.has(layer.key) || this.#changing.has(layer.key);
      if (isInUse) {
        if (layer.owner === owner) ownBytes += layer.bytes;
        continue;
      }
      const trash = path.join(dir, `${TEMPORARY}${randomUUID()}`);
      await this.#changing.run(layer.key, () => rename(this.#folder(layer.key), trash));
      await deleteFolder(trash);
      total -= layer.bytes;
    }
    if (hasSpace({ bytesMax, totalBytes: total, ownBytes })) return;
    throw new RuntimeError(
      "image_too_large",
      `The image does not fit in the layer cache of ${bytesMax} bytes beside those in use.`,
    );
  }

  async #layers(): Promise<(LayerToLease & { bytes: number; usedAt: number })[]> {
    const names = (await readdir(this.parts.dir)).filter((name) => !name.startsWith(TEMPORARY));
    return Promise.all(
      names.map(async (name) => {
        const key = name.replace("-", ":");
        const file = this.#sizeFile(key);
        const [{ mtimeMs: usedAt }, text] = await Promise.all([stat(file), readFile(file, "utf8")]);
        return { key, owner: await this.#ownerOf(key), bytes: Number(text), usedAt };
      }),
    );
  }

  /** Earlier versions of svc did not note it. */
  #ownerOf(key: string): Promise<string> {
    return readFile(path.join(this.#folder(key), OWNER_FILE), "utf8").catch(() => "");
  }

  #unpin(key: string): void {
    const pins = (this.#pins.get(key) ?? 0) - 1;
    if (pins > 0) this.#pins.set(key, pins);
    else this.#pins.delete(key);
  }

  /** `sha256:…` becomes `sha256-…`: the mount options of an overlay separate layers with a colon. */
  #folder(key: string): string {
    return path.join(this.parts.dir, key.replace(":", "-"));
  }

  #sizeFile(key: string): string {
    return path.join(this.#folder(key), SIZE_FILE);
  }
}
