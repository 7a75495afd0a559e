import { runScript } from "../../perl/run-script";
import type { OverlayMark } from "../oci/layer-marks";
import { RuntimeError } from "../runtime";

/** Writes the marks of a layer below its folder. Throws `image_invalid` if they contradict its files. */
export async function writeMarks(scripts: string, root: string, marks: readonly OverlayMark[]): Promise<void> {
  if (marks.length === 0) return;
  const input = marks.map((mark) => `${kindOf(mark)} ${mark.path}\0`).join("");
  try {
    await runScript(scripts, ["overlay-marks.pl", "write", root], input);
  } catch (cause) {
    throw new RuntimeError("image_invalid", "A layer is invalid: what it deletes contradicts its files.", { cause });
  }
}

/** `fifo`, its permissions in octal, its user and its group. */
const kindOf = ({ kind, mode = 0o644, ids }: OverlayMark): string =>
  kind === "fifo" ? [kind, mode.toString(8), ...(ids ?? [])].join(":") : kind;

/** The folders below a folder that hide those of lower layers, relative to it. */
export async function opaqueFolders(scripts: string, root: string): Promise<ReadonlySet<string>> {
  const output = await runScript(scripts, ["overlay-marks.pl", "list", root], "");
  return new Set(output.toString("utf8").split("\0").slice(0, -1));
}
