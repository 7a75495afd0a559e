import { createReadStream } from "node:fs";
import { PassThrough, pipeline, type Readable, type Writable } from "node:stream";
import { pipeline as flow } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { LayerFile } from "./layer-file";

export interface ArchivedImage {
  /** `repository:tag`. */
  name: string;
  architecture: string;
  /** The lowest first. */
  layers: readonly LayerFile[];
}

/**
 * An image in the format of `docker save`. It says nothing about its program: svc gives that to each container, so that
 * images with the same layers are one.
 */
export function imageArchive(image: ArchivedImage): Readable {
  const archive = pack();
  const output = new PassThrough();
  pipeline(archive, output, () => {});
  addImage(archive, image).then(
    () => archive.finalize(),
    (cause: unknown) => archive.destroy(cause instanceof Error ? cause : new Error(String(cause))),
  );
  return output;
}

async function addImage(archive: Pack, { name, architecture, layers }: ArchivedImage): Promise<void> {
  const config = {
    ...{ architecture, os: "linux", config: {} },
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
    history: layers.map(() => ({ created_by: "svc" })),
  };
  const names = layers.map((_, index) => `${index}.tar`);
  const manifest = [{ Config: "config.json", RepoTags: [name], Layers: names }];
  archive.entry({ name: "config.json" }, JSON.stringify(config));
  archive.entry({ name: "manifest.json" }, JSON.stringify(manifest));
  for (const [index, { file, bytes }] of layers.entries()) {
    // The types of streamx lack what it has of Node's streams.
    const entry = archive.entry({ name: `${index}.tar`, size: bytes }) as unknown as Writable;
    await flow(createReadStream(file), entry);
  }
}
