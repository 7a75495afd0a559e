import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../../kernel/clock";
import { TaskQueue } from "../../../kernel/keyed-queue";
import type { ImageConfig } from "../oci/image-documents";
import { hasSpace } from "../oci/image-space";
import { keyOfLayers } from "../oci/layer-origin";
import { type FindParts, type FoundImage, findImage, readLayer } from "../oci/pull-image";
import { unlessAborted } from "../oci/unless-aborted";
import { type ImageSource, RuntimeError } from "../runtime";
import { type EngineClient, EngineError } from "./engine-client";
import { imageArchive } from "./image-archive";
import { type LayerFile, writeLayer } from "./layer-file";

export interface ImageStoreParts {
  engine: EngineClient;
  find: FindParts;
  /** Absolute; only this store writes there. */
  dir: string;
  /** Of all images of this store in the engine, and so of one image. */
  bytesMax: number;
  /** The name of this store's images, which differ in their tag. */
  repository: string;
  clock: Clock;
}

/** An image that the engine keeps until it is released. */
export interface StoredImage {
  /** `repository:tag` in the engine. */
  name: string;
  config: ImageConfig;
  /** Of the layers as they are downloaded; 0 if the engine had the image. */
  pulledBytes: number;
  release(): void;
}

/** Images that svc has pulled and verified, in the engine; removes the least recently used ones beyond a size. */
export class ImageStore {
  readonly #pins = new Map<string, number>();
  readonly #imports = new Map<string, Promise<number>>();
  /** One at a time, because each one counts all that are there. */
  readonly #admissions = new TaskQueue();

  constructor(readonly parts: ImageStoreParts) {}

  /** Deletes what an earlier process left unfinished. */
  async open(): Promise<void> {
    await rm(this.#downloads(), { recursive: true, force: true });
    await mkdir(this.#uses(), { recursive: true, mode: 0o700 });
  }

  /** Asks the registry for the image, and gives its layers to the engine unless it has them. Rejects as `pullImage` does. */
  async ensure(source: ImageSource, signal: AbortSignal): Promise<StoredImage> {
    const { find } = this.parts;
    return find.turns.run(source, signal, async (turn) => this.#store(await findImage(source, find, turn)));
  }

  async #store(found: FoundImage): Promise<StoredImage> {
    const name = `${this.parts.repository}:${tagOf(found)}`;
    this.#pins.set(name, (this.#pins.get(name) ?? 0) + 1);
    let pulledBytes: number;
    try {
      pulledBytes = await this.#ensureImported(name, found);
    } catch (cause) {
      this.#unpin(name);
      throw cause;
    }
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#unpin(name);
      isReleased = true;
    };
    return { name, config: found.config, pulledBytes, release };
  }

  /** Gives an image to the engine that was made here. */
  async add(name: string, layers: readonly LayerFile[]): Promise<void> {
    const { engine, find } = this.parts;
    const body = imageArchive({ name, layers, architecture: find.architecture });
    const messages = await engine.text({ path: "/images/load?quiet=1", method: "POST", body });
    if (await engine.find(`/images/${name}/json`)) return;
    throw new Error(`the engine did not take an image: ${messages.trim().slice(0, 500)}`);
  }

  /** Returns what was downloaded, by this call or by one that was just downloading the same. */
  async #ensureImported(name: string, found: FoundImage): Promise<number> {
    let awaitedBytes = 0;
    for (let other = this.#imports.get(name); other; other = this.#imports.get(name)) {
      // Its failure belongs to the call that made it: it may have been interrupted.
      const settled = other.catch(() => 0);
      awaitedBytes = (await unlessAborted(found.registry.access.signal, settled)) || awaitedBytes;
    }
    const made = this.#importUnlessThere(name, found);
    this.#imports.set(name, made);
    return (await made.finally(() => this.#imports.delete(name))) || awaitedBytes;
  }

  async #importUnlessThere(name: string, found: FoundImage): Promise<number> {
    const now = this.parts.clock.now();
    const use = path.join(this.#uses(), name.slice(this.parts.repository.length + 1));
    const isThere = (await this.parts.engine.find(`/images/${name}/json`)) !== undefined;
    if (!isThere) await this.#import(name, found);
    await writeFile(use, found.owner);
    await utimes(use, now, now);
    return isThere ? 0 : found.layers.reduce((sum, { size }) => sum + size, 0);
  }

  async #import(name: string, found: FoundImage): Promise<void> {
    const folder = path.join(this.#downloads(), randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const layers = await this.#download(found, folder);
      found.registry.access.signal.throwIfAborted();
      await this.#admissions.run(async () => {
        const bytes = layers.reduce((sum, layer) => sum + layer.bytes, 0);
        await this.#makeSpace(bytes, found.owner);
        await this.add(name, layers);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #download(found: FoundImage, folder: string): Promise<LayerFile[]> {
    const { limits } = this.parts.find;
    const layers: LayerFile[] = [];
    for (const [index, descriptor] of found.layers.entries()) {
      const bytesMax = layers.reduce((left, { bytes }) => left - bytes, limits.bytesMax);
      const file = path.join(folder, String(index));
      layers.push(await readLayer(found, descriptor, (tar) => writeLayer(tar, file, { ...limits, bytesMax })));
    }
    return layers;
  }

  async #makeSpace(bytes: number, owner: string): Promise<void> {
    const { bytesMax, engine } = this.parts;
    const images = await this.#images();
    let total = images.reduce((sum, image) => sum + image.bytes, bytes);
    let ownBytes = bytes;
    for (const image of images.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= bytesMax) return;
      if (!this.#pins.has(image.name) && (await isRemoved(engine, image.name))) total -= image.bytes;
      else if (image.owner === owner) ownBytes += image.bytes;
    }
    if (hasSpace({ bytesMax, totalBytes: total, ownBytes })) return;
    throw new RuntimeError(
      "image_too_large",
      `The image does not fit in the image store of ${bytesMax} bytes beside those in use.`,
    );
  }

  async #images(): Promise<{ name: string; owner: string; bytes: number; usedAt: number }[]> {
    const { engine, repository } = this.parts;
    const all = await engine.json<{ RepoTags: string[] | null; Size: number }[]>({ path: "/images/json" });
    const own = all.flatMap(({ RepoTags, Size: bytes }) =>
      (RepoTags ?? []).filter((name) => name.startsWith(`${repository}:`)).map((name) => ({ name, bytes })),
    );
    return Promise.all(
      own.map(async ({ name, bytes }) => {
        const file = path.join(this.#uses(), name.slice(repository.length + 1));
        const use = await stat(file).catch(() => undefined);
        return { name, owner: await readFile(file, "utf8").catch(() => ""), bytes, usedAt: use?.mtimeMs ?? 0 };
      }),
    );
  }

  #unpin(name: string): void {
    const pins = (this.#pins.get(name) ?? 0) - 1;
    if (pins > 0) this.#pins.set(name, pins);
    else this.#pins.delete(name);
  }

  #downloads(): string {
    return path.join(this.parts.dir, "downloads");
  }

  #uses(): string {
    return path.join(this.parts.dir, "uses");
  }
}

/** False for an image that a container uses. */
async function isRemoved(engine: EngineClient, name: string): Promise<boolean> {
  try {
    await engine.text({ path: `/images/${name}`, method: "DELETE" });
    return true;
  } catch (cause) {
    if (cause instanceof EngineError) return cause.status === 404;
    throw cause;
  }
}

/** A tag cannot contain a colon. */
const tagOf = ({ origin, layers }: FoundImage): string => keyOfLayers(origin, layers).replace("sha256:", "");
