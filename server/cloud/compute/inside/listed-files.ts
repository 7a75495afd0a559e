import { isUtf8 } from "node:buffer";
import type { ListedFile } from "./inside-fields";

/**
 * Prints what the two halves of `listedFiles` read. Implementations of `ls` differ in how they print names that are not
 * ASCII, and the shell knows the bytes. The format of `ls -ln` is that of POSIX; the order of both is that of the bytes.
 */
export const LIST_NAMES = `ls -lnA && printf '\\0' || exit
for name in .[!.]* ..?* *; do
  if [ -e "$name" ] || [ -L "$name" ]; then printf '%s\\0' "$name"; fi
done`;

/** Type, size and name; devices have two numbers instead of a size. */
const LINE = /^([-dlbcps])\S+ +\d+ +\d+ +\d+ +(\d+|\d+, +\d+) +\S+ +\S+ +\S+ (.+)$/;
const TYPES: Readonly<Record<string, ListedFile["type"]>> = { "-": "file", d: "folder", l: "link" };

interface Listed {
  files: ListedFile[];
  /** Files whose names are not UTF-8: no text names them, and another text would name another file. */
  leftOut: number;
}

/** The files of a folder from what LIST_NAMES prints; empty halves for a folder that changed meanwhile are read by line. */
export function listedFiles(output: Buffer): Listed {
  const end = output.indexOf(0);
  const lines = textLines(output.subarray(0, end < 0 ? undefined : end));
  const names =
    end < 0
      ? []
      : output
          .toString("latin1", end + 1)
          .split("\0")
          .slice(0, -1)
          .sort();
  return gathered(byName(lines, names) ?? lines.flatMap(byLine));
}

/** A file with its name in Latin-1, a character for each byte. */
type RawFile = Omit<ListedFile, "name"> & { bytes: string };

function gathered(raw: readonly RawFile[]): Listed {
  const files = raw.flatMap(({ bytes, type, size }): ListedFile[] => {
    const name = Buffer.from(bytes, "latin1");
    return isUtf8(name) ? [{ name: name.toString("utf8"), type, size }] : [];
  });
  return { files, leftOut: raw.length - files.length };
}

function textLines(printed: Buffer): string[] {
  const lines = printed.toString("latin1").split("\n").slice(0, -1);
  return lines[0]?.startsWith("total ") ? lines.slice(1) : lines;
}

/** Undefined if lines and names do not belong together, because the folder changed in between. */
function byName(lines: readonly string[], names: readonly string[]): RawFile[] | undefined {
  const breaks = names.reduce((sum, name) => sum + breaksIn(name), 0);
  // Either `ls` prints line breaks in names, or it prints another character.
  const hasBreaks = lines.length === names.length + breaks;
  if (!hasBreaks && lines.length !== names.length) return undefined;
  const files: RawFile[] = [];
  let at = 0;
  for (const bytes of names) {
    const [file] = byLine(lines[at] ?? "");
    if (!file) return undefined;
    files.push({ bytes, type: file.type, size: file.size });
    at += hasBreaks ? 1 + breaksIn(bytes) : 1;
  }
  return files;
}

const breaksIn = (name: string): number => name.split("\n").length - 1;

function byLine(line: string): RawFile[] {
  const [, letter = "", size = "", text = ""] = LINE.exec(line) ?? [];
  if (letter === "") return [];
  const bytes = letter === "l" ? text.replace(/ -> .*$/, "") : text;
  return [{ bytes, type: TYPES[letter] ?? "other", size: size.includes(",") ? 0 : Number(size) }];
}
