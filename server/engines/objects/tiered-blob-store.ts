import { checkContent } from "./blob-errors";
import type { BlobRange, BlobStore, StoredBlob } from "./blob-store";
import { BROTLI_QUALITY, TIERS, type Tier, tierOfBlob } from "./blob-tiers";
import { packContent, unpackContent } from "./packed-content";

/**
 * Blobs in storage classes: the name of a blob says its class, each class has its own place, and all but hot are packed.
 * Sizes, ranges and checks are those of the content, as in every `BlobStore`.
 */
export class TieredBlobStore implements BlobStore {
  readonly needsScrubbing: boolean;
  readonly #places: Readonly<Record<Tier, BlobStore>>;
  readonly #all: ReadonlySet<BlobStore>;

  /** One store may be the place of several classes. */
  constructor(places: Readonly<Record<Tier, BlobStore>>) {
    this.#places = places;
    this.#all = new Set(TIERS.map((tier) => places[tier]));
    this.needsScrubbing = places.hot.needsScrubbing;
  }

  async put(
    name: string,
    body: AsyncIterable<Uint8Array>,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<StoredBlob> {
    const tier = tierOfBlob(name);
    if (tier === "hot") return this.#places.hot.put(name, body, options);
    let size = 0;
    async function* counted() {
      for await (const chunk of body) {
        size += chunk.length;
        yield chunk;
      }
    }
    await this.#places[tier].put(name, packContent(counted(), BROTLI_QUALITY[tier]), options);
    return { size };
  }

  read(name: string, options: { size: number; range?: BlobRange | undefined }): AsyncIterable<Uint8Array> {
    const tier = tierOfBlob(name);
    if (tier === "hot") return this.#places.hot.read(name, options);
    const { size, range = { start: 0, end: size } } = options;
    const { start, end } = range;
    if (!(start >= 0 && start <= end && end <= size))
      throw new RangeError(`No range ${start} to ${end} of ${size} bytes.`);
    return unpacked(this.#places[tier], { name, size, range });
  }

  /** Between classes the content is written again. */
  async copy(from: string, to: string, size: number): Promise<void> {
    const tier = tierOfBlob(from);
    const place = this.#places[tier];
    if (tier !== tierOfBlob(to)) await this.put(to, this.read(from, { size }));
    else await place.copy(from, to, tier === "hot" ? size : await place.storedSize(from));
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const tier of TIERS) {
      const own = names.filter((name) => tierOfBlob(name) === tier);
      if (own.length > 0) await this.#places[tier].remove(own);
    }
  }

  async *list(options: { olderThan: Date }): AsyncIterable<readonly string[]> {
    for (const place of this.#all) yield* place.list(options);
  }

  async removeUnfinished(options: { olderThan: Date }): Promise<void> {
    for (const place of this.#all) await place.removeUnfinished(options);
  }

  async verify(name: string, size: number): Promise<"ok" | "damaged" | "missing"> {
    if (tierOfBlob(name) === "hot") return this.#places.hot.verify(name, size);
    return checkContent(this.read(name, { size }));
  }

  storedSize(name: string): Promise<number> {
    return this.#places[tierOfBlob(name)].storedSize(name);
  }

  async ping(): Promise<void> {
    await Promise.all([...this.#all].map((place) => place.ping()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((place) => place.close()));
  }
}

async function* unpacked(
  place: BlobStore,
  { name, size, range }: { name: string; size: number; range: BlobRange },
): AsyncIterable<Uint8Array> {
  const packedSize = await place.storedSize(name);
  const read = (piece: BlobRange) => place.read(name, { size: packedSize, range: piece });
  yield* unpackContent({ name, size, packedSize, read }, range);
}
