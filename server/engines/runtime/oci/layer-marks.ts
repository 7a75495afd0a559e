import { lstatSync } from "node:fs";
import path from "node:path";
import { layerTooLarge } from "./layer-errors";

/** A layer's statement about the layers below it, or a file, that Node cannot write. */
export interface OverlayMark {
  /** `opaque`: the folder hides those below. `whiteout`: the path is deleted. */
  kind: "opaque" | "whiteout" | "fifo";
  /** Relative to the root of the layer, "" for itself; later entries may have put a symbolic link in its way. */
  path: string;
  /** Of a fifo: its permissions, and on the node its user and group; without them those of this process. */
  mode?: number;
  ids?: readonly [user: number, group: number];
}

/** Marks are kept until everything is unpacked. */
const MARKS_CHARACTERS_MAX = 32 * 1024 * 1024;

/** The marks of a layer that is being unpacked. */
export class LayerMarks {
  readonly #marks: OverlayMark[] = [];
  #characters = 0;

  /** Throws `image_too_large`. */
  add(mark: OverlayMark): void {
    this.#characters += mark.path.length;
    if (this.#characters > MARKS_CHARACTERS_MAX) throw layerTooLarge("the paths that it deletes are too long in all");
    this.#marks.push(mark);
  }

  /**
   * The marks of a layer that is complete. What is deleted is in the layers below, wherever in the archive that is said:
   * a folder of the layer itself with such a path shows nothing of the one below.
   */
  of(root: string): OverlayMark[] {
    return this.#marks.map((mark) => {
      if (mark.kind !== "whiteout") return mark;
      const found = lstatSync(path.join(root, mark.path), { throwIfNoEntry: false });
      return found?.isDirectory() ? { kind: "opaque", path: mark.path } : mark;
    });
  }
}
