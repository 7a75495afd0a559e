import { constants } from "node:fs";
import { access, copyFile, link, open, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { crc32c } from "@node-rs/crc32";
import type { Room } from "../disk-space/disk-space";
import { codeOf } from "../file-failures";
import { blobMissing, checkContent, onDisk } from "./blob-errors";
import { isNotLinkable } from "./blob-files";
import { parseBlobName } from "./blob-name";
import type { BlobRange, BlobStore, StoredBlob } from "./blob-store";
import { tierFolder, tierOfBlob } from "./blob-tiers";
import { contentBytesOf, footerBytesOf } from "./block-checksums";
import { limitDisk } from "./disk-share";
import { DraftFiles } from "./draft-files";
import { Folders } from "./folders";
import { readContent } from "./read-content";
import { walkBlobs } from "./walk-blobs";
import { writeContent } from "./write-content";

/** Bytes of one blob after which the disk's free space is checked again. */
const CHECK_SPACE_BYTES = 16 * 2 ** 20;
const REMOVE_AT_ONCE = 32;
const PUBLISH_TRIES = 5;

export interface FileBlobStoreSettings {
  /** An absolute path; of one storage class. */
  root: string;
  /** See `SVC_OBJECTS_DISK_SHARE`. */
  diskShare: number;
  /** See `BlobStoreSettings`. */
  space?: Room | undefined;
}

/** The file of a blob below the folder of all storage classes. */
export const blobFile = (root: string, name: string): string => fileIn(tierFolder(root, tierOfBlob(name)), name);

/** 256 folders per bucket keep each folder small. */
function fileIn(root: string, name: string): string {
  const { tenantId, bucketId, blobId } = parseBlobName(name);
  const hash = (crc32c(blobId) & 0xff).toString(16).padStart(2, "0");
  return path.join(root, tenantId, bucketId, hash, blobId);
}

/**
 * Blobs as files `<tenant id>/<bucket id>/<2 hash characters>/<blob id>` below a folder that several processes of one
 * machine may share; see block-checksums.ts for the layout of a file.
 */
export class FileBlobStore implements BlobStore {
  readonly needsScrubbing = true;
  readonly #root: string;
  readonly #drafts: DraftFiles;
  readonly #folders: Folders;
  readonly #checkSpace: () => Promise<void>;

  private constructor({ root, diskShare, space }: FileBlobStoreSettings) {
    this.#root = root;
    this.#drafts = new DraftFiles(path.join(root, ".drafts"));
    this.#folders = new Folders(path.dirname(root));
    const checkShare = limitDisk({ dir: root, share: diskShare });
    this.#checkSpace = async () => {
      space?.assertRoom();
      await checkShare();
    };
  }

  static async open(settings: FileBlobStoreSettings): Promise<FileBlobStore> {
    const store = new FileBlobStore(settings);
    await store.#drafts.prepare();
    return store;
  }

  async put(
    name: string,
    body: AsyncIterable<Uint8Array>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<StoredBlob> {
    const target = fileIn(this.#root, name);
    await this.#checkSpace();
    const { file, handle } = await onDisk(this.#drafts.create());
    try {
      const size = await writeContent(handle, body, { signal, beforeWrite: this.#spaceGuard() });
      await onDisk(handle.datasync());
      await onDisk(handle.close());
      signal?.throwIfAborted();
      await onDisk(this.#publish(target, () => rename(file, target)));
      return { size };
    } catch (failure) {
      await handle.close().catch(() => undefined);
      await unlink(file).catch(() => undefined);
      throw failure;
    }
  }

  read(name: string, { size, range }: { size: number; range?: BlobRange | undefined }): AsyncIterable<Uint8Array> {
    const { start, end } = range ?? { start: 0, end: size };
    if (!(start >= 0 && start <= end && end <= size))
      throw new RangeError(`No range ${start} to ${end} of ${size} bytes.`);
    return readContent({ name, path: fileIn(this.#root, name), size, range: { start, end } });
  }

  /** A second name of the same file: blobs are never changed, so it takes neither time nor space. */
  async copy(from: string, to: string, size: number): Promise<void> {
    const source = fileIn(this.#root, from);
    const target = fileIn(this.#root, to);
    const stats = await statBlob(from, source);
    if (stats.size !== size + footerBytesOf(size)) throw blobMissing(from, new Error(`${from} has another size.`));
    await onDisk(this.#publish(target, () => this.#duplicate(source, target)));
  }

  async remove(names: readonly string[]): Promise<void> {
    const files = names.map((name) => fileIn(this.#root, name));
    for (let at = 0; at < files.length; at += REMOVE_AT_ONCE) {
      await onDisk(Promise.all(files.slice(at, at + REMOVE_AT_ONCE).map(removeFile)));
    }
  }

  list({ olderThan }: { olderThan: Date }): AsyncIterable<readonly string[]> {
    return walkBlobs(this.#root, { olderThan });
  }

  removeUnfinished({ olderThan }: { olderThan: Date }): Promise<void> {
    return onDisk(this.#drafts.removeOld(olderThan));
  }

  async verify(name: string, size: number): Promise<"ok" | "damaged" | "missing"> {
    const found = await checkContent(this.read(name, { size }));
    if (found !== "ok") return found;
    const { size: bytes } = await onDisk(stat(fileIn(this.#root, name)));
    return bytes === size + footerBytesOf(size) ? "ok" : "damaged";
  }

  async storedSize(name: string): Promise<number> {
    const { size } = await statBlob(name, fileIn(this.#root, name));
    return Math.max(0, contentBytesOf(size));
  }

  ping(): Promise<void> {
    return onDisk(access(this.#root, constants.R_OK | constants.W_OK));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Gives a complete file its name durably. The sweep may remove the folder meanwhile, because it was empty. */
  async #publish(target: string, name: () => Promise<void>): Promise<void> {
    const dir = path.dirname(target);
    for (let attempt = 1; ; attempt++) {
      try {
        await name();
        break;
      } catch (failure) {
        if (codeOf(failure) !== "ENOENT" || attempt === PUBLISH_TRIES) throw failure;
        await this.#folders.create(dir);
      }
    }
    await this.#folders.sync(dir);
  }

  async #duplicate(source: string, target: string): Promise<void> {
    try {
      await link(source, target);
    } catch (failure) {
      if (!isNotLinkable(failure)) throw failure;
      await this.#checkSpace();
      await this.#copyContent(source, target);
    }
  }

  async #copyContent(source: string, target: string): Promise<void> {
    const draft = this.#drafts.next();
    try {
      await copyFile(source, draft, constants.COPYFILE_FICLONE);
      const handle = await open(draft, "r+");
      await handle.datasync().finally(() => handle.close());
      await rename(draft, target);
    } catch (failure) {
      await unlink(draft).catch(() => undefined);
      throw failure;
    }
  }

  #spaceGuard(): (written: number) => Promise<void> {
    let checkedAt = 0;
    return async (written) => {
      if (written - checkedAt < CHECK_SPACE_BYTES) return;
      checkedAt = written;
      await this.#checkSpace();
    };
  }
}

const statBlob = (name: string, file: string) =>
  stat(file).catch((failure: unknown) => {
    throw codeOf(failure) === "ENOENT" ? blobMissing(name, failure) : failure;
  });

async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (failure) {
    if (codeOf(failure) !== "ENOENT") throw failure;
  }
}
