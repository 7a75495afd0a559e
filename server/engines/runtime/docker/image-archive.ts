import { createReadStream } from "node:fs";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { pipeline as flow } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { addTarEntry } from "../add-tar-entry";
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
 * images with the same layers of the same origin are one.
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
    architecture,
    os: "linux",
    config: {},
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
    history: layers.map(() => ({ created_by: "svc" })),
  };
  const names = layers.map((_, index) => `${index}.tar`);
  const manifest = [{ Config: "config.json", RepoTags: [name], Layers: names }];
  addTarEntry(archive, { name: "config.json" }, { content: JSON.stringify(config) });
  addTarEntry(archive, { name: "manifest.json" }, { content: JSON.stringify(manifest) });
  for (const [index, { file, bytes }] of layers.entries()) {
    await flow(createReadStream(file), addTarEntry(archive, { name: `${index}.tar`, size: bytes }));
  }
}
