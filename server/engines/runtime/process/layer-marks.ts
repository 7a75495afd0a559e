import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OverlayMark } from "../oci/layer-marks";

/** Beside the folder of a layer's files, in the folder that the cache keeps and deletes as a whole. */
const fileOf = (layer: string): string => path.join(path.dirname(layer), "marks.json");

/** Stores what a layer deletes of those below it: an ordinary user cannot write the marks of an overlay. */
export async function writeLayerMarks(layer: string, marks: readonly OverlayMark[]): Promise<void> {
  await writeFile(fileOf(layer), JSON.stringify(marks));
}

export const readLayerMarks = async (layer: string): Promise<OverlayMark[]> =>
  JSON.parse(await readFile(fileOf(layer), "utf8"));
