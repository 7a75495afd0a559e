import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LayerEntry, tarOf } from "../../../../test/factories/image-layers";
import { unpackLayer } from "./unpack-layer";

let top: string;
let root: string;
beforeEach(() => {
  top = mkdtempSync(path.join(os.tmpdir(), "svc-unpack-"));
  root = path.join(top, "a/b/root");
  mkdirSync(root, { recursive: true });
  mkdirSync(path.join(top, "outside"));
});
afterEach(() => rmSync(top, { recursive: true }));

const LIMITS = { bytesMax: 1_000_000, entriesMax: 1000 };
async function unpack(entries: readonly LayerEntry[], limits = LIMITS) {
  return unpackLayer(Readable.from([await tarOf(entries)]), { root, limits, idBase: undefined });
}
/** The archive with the checksums of its headers computed again. */
function withChecksums(archive: Buffer): Buffer {
  for (let at = 0; at + 512 <= archive.length; at += 512) {
    const header = archive.subarray(at, at + 512);
    if (header.toString("latin1", 257, 262) !== "ustar") continue;
    header.write("        ", 148, "latin1");
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  }
  return archive;
}

const text = (name: string): string => readFileSync(path.join(root, name), "utf8");
const reason = (expected: string) => expect.objectContaining({ reason: expected });

/** Everything in the folder above the root that the archive could have written to. */
const outside = (): string[] =>
  [top, path.join(top, "a"), path.join(top, "a/b"), path.join(top, "outside")].flatMap((folder) => readdirSync(folder));
const NOTHING = ["a", "outside", "b", "root"];

describe("unpackLayer", () => {
  it("refuses names that are not UTF-8, in headers and in those of pax, and links to them", async () => {
    const entries: LayerEntry[] = [
      { name: "cafe!", content: "x" },
      { name: `${"folder/".repeat(40)}cafe!`, content: "x" },
      { name: "link", type: "symlink", linkname: "cafe!" },
    ];
    for (const entry of entries) {
      const bytes = await tarOf([entry]);
      for (let at = bytes.indexOf("cafe!"); at >= 0; at = bytes.indexOf("cafe!")) bytes.write("caf\xe9!", at, "latin1");
      const archive = withChecksums(bytes);
      const unpacking = unpackLayer(Readable.from([archive]), { root, limits: LIMITS, idBase: undefined });
      await expect(unpacking).rejects.toThrow("the name of a file is not UTF-8 text");
    }
    expect(readdirSync(root)).toEqual([]);
  });

  it("writes files, folders and links with their permissions, without setuid and setgid", async () => {
    await unpack([
      { name: "./etc/", type: "directory", mode: 0o2750 },
      { name: "etc/file", content: "content", mode: 0o6755, mtime: new Date(1_000_000) },
      { name: "etc/soft", type: "symlink", linkname: "/etc/file" },
      { name: "etc/hard", type: "link", linkname: "etc/file" },
      { name: "deep/er/file", content: "deep" },
    ]);
    expect(text("etc/hard")).toBe("content");
    expect(text("deep/er/file")).toBe("deep");
    expect(readlinkSync(path.join(root, "etc/soft"))).toBe("/etc/file");
    expect(lstatSync(path.join(root, "etc/file")).mode & 0o7777).toBe(0o755);
    expect(lstatSync(path.join(root, "etc/file")).mtimeMs).toBe(1_000_000);
    expect(lstatSync(path.join(root, "etc")).mode & 0o7777).toBe(0o750);
  });

  it("follows symbolic links of the layer as if its root were the root of the file system", async () => {
    await unpack([
      { name: "usr/lib/", type: "directory" },
      { name: "lib", type: "symlink", linkname: "/usr/lib" },
      { name: "up", type: "symlink", linkname: "../../../../outside" },
      { name: "lib/file", content: "by link" },
      { name: "up/file", content: "inside" },
    ]);
    expect(text("usr/lib/file")).toBe("by link");
    expect(text("outside/file")).toBe("inside");
    expect(outside()).toEqual(NOTHING);
  });

  it.each<[string, LayerEntry[]]>([
    ["a path with ..", [{ name: "../outside/file", content: "x" }]],
    ["a path with .. inside", [{ name: "a/../../outside/file", content: "x" }]],
    ["an absolute path with ..", [{ name: "/../outside/file", content: "x" }]],
    ["a sparse file of GNU tar", [{ name: "sparse", content: "x", pax: { "GNU.sparse.major": "1" } }]],
    ["a hard link to a file outside", [{ name: "hard", type: "link", linkname: "../../../outside" }]],
    ["a hard link to a missing file", [{ name: "hard", type: "link", linkname: "/etc/passwd" }]],
    [
      "a hard link to a symbolic link",
      [
        { name: "soft", type: "symlink", linkname: "/etc/passwd" },
        { name: "hard", type: "link", linkname: "soft" },
      ],
    ],
    [
      "a circle of symbolic links",
      [
        { name: "x", type: "symlink", linkname: "y" },
        { name: "y", type: "symlink", linkname: "x" },
        { name: "x/file", content: "x" },
      ],
    ],
    [
      "a file that is used as a folder",
      [
        { name: "file", content: "x" },
        { name: "file/below", content: "x" },
      ],
    ],
    ["a root that is no folder", [{ name: ".", type: "symlink", linkname: "/outside" }]],
    ["a name that is too long", [{ name: "n".repeat(300), content: "x" }]],
    ["a deletion of the folder above", [{ name: "a/.wh...", content: "" }]],
    ["a deletion without a name", [{ name: "a/.wh.", content: "" }]],
  ])("rejects %s, and writes nothing outside", async (_, entries) => {
    await expect(unpack(entries)).rejects.toEqual(reason("image_invalid"));
    expect(outside()).toEqual(NOTHING);
  });

  it("replaces a symbolic link by the file of the same name, instead of writing through it", async () => {
    await unpack([
      { name: "file", type: "symlink", linkname: path.join(top, "outside/file") },
      { name: "file", content: "inside" },
      { name: "folder", type: "symlink", linkname: path.join(top, "outside") },
      { name: "folder", type: "directory" },
      { name: "folder/file", content: "inside" },
    ]);
    expect(text("file")).toBe("inside");
    expect(text("folder/file")).toBe("inside");
    expect(outside()).toEqual(NOTHING);
  });

  it("does not trust a folder that was replaced by a link after it was used", async () => {
    await unpack([
      { name: "folder/sub/first", content: "1" },
      { name: "folder", type: "symlink", linkname: path.join(top, "outside") },
      { name: "folder/sub/second", content: "2" },
    ]);
    expect(existsSync(path.join(top, "outside/sub"))).toBe(false);
    expect(outside()).toEqual(NOTHING);
  });

  it("makes no device, and reports deletions and folders that replace those below", async () => {
    const { marks } = await unpack([
      { name: "dev/sda", type: "block-device", devmajor: 8, devminor: 0 },
      { name: "dev/kmsg", type: "character-device", devmajor: 1, devminor: 11 },
      { name: "etc/.wh.passwd", content: "" },
      { name: "etc/.wh..wh..opq", content: "" },
      { name: "pipe", type: "fifo", mode: 0o4640, uid: 7, gid: 8 },
    ]);
    expect(readdirSync(root)).toEqual(["dev", "etc"]);
    expect(readdirSync(path.join(root, "dev"))).toEqual([]);
    expect(marks).toEqual([
      { kind: "whiteout", path: "etc/passwd" },
      { kind: "opaque", path: "etc" },
      { kind: "fifo", path: "pipe", mode: 0o640 },
    ]);
  });

  it("deletes what is below only: of a folder of the same layer it hides the one below, before and after it", async () => {
    const entries = [
      { name: ".wh.before", content: "" },
      { name: "before/new", content: "1" },
      { name: "after/new", content: "1" },
      { name: ".wh.after", content: "" },
      { name: ".wh.file", content: "" },
      { name: "file", content: "1" },
    ];
    const { marks } = await unpack(entries);
    expect(marks).toEqual([
      { kind: "opaque", path: "before" },
      { kind: "opaque", path: "after" },
      { kind: "whiteout", path: "file" },
    ]);
    expect(readdirSync(root).sort()).toEqual(["after", "before", "file"]);
  });

  it("takes names that begin with / or ./ as those below the root, and the last entry of a name", async () => {
    const long = `${"d/".repeat(100)}${"n".repeat(200)}`;
    await unpack([
      { name: "/etc/hosts", content: "first" },
      { name: "./etc/hosts", content: "last" },
      { name: long, content: "long", pax: { mtime: "12.5" } },
      { name: "folder", content: "a file" },
      { name: "folder/", type: "directory" },
    ]);
    expect(text("etc/hosts")).toBe("last");
    expect([text(long), lstatSync(path.join(root, long)).mtimeMs]).toEqual(["long", 12_500]);
    expect(lstatSync(path.join(root, "folder")).isDirectory()).toBe(true);
    expect(outside()).toEqual(NOTHING);
  });

  it("stops at its limits of bytes and entries", async () => {
    const files = Array.from({ length: 20 }, (_, index) => ({ name: `f${index}`, content: "x".repeat(100) }));
    await expect(unpack(files, { bytesMax: 1999, entriesMax: 100 })).rejects.toEqual(reason("image_too_large"));
    await expect(unpack(files, { bytesMax: 2000, entriesMax: 19 })).rejects.toEqual(reason("image_too_large"));
    await expect(unpack(files, { bytesMax: 2000, entriesMax: 20 })).resolves.toBeDefined();
  });

  it("keeps no more paths of deletions than fit its memory, however small the archive is when it is compressed", async () => {
    const name = `.wh.${"x".repeat(4000)}`;
    const deletions = Array.from({ length: 9000 }, () => ({ name }));
    await expect(unpack(deletions, { bytesMax: 2000, entriesMax: 9000 })).rejects.toEqual(reason("image_too_large"));
  });

  it("rejects what is not an archive, and one that is cut off", async () => {
    const options = { root, limits: LIMITS, idBase: undefined };
    const noise = Buffer.alloc(2048, "noise");
    await expect(unpackLayer(Readable.from([noise]), options)).rejects.toEqual(reason("image_invalid"));
    const cut = (await tarOf([{ name: "file", content: "x".repeat(2000) }])).subarray(0, 1500);
    await expect(unpackLayer(Readable.from([cut]), options)).rejects.toEqual(reason("image_invalid"));
  });

  it("writes nothing outside for any sequence of entries", async () => {
    const name = fc.array(fc.constantFrom("a", "b", "..", ".", "outside", "root"), { minLength: 1, maxLength: 4 });
    const target = fc.tuple(fc.constantFrom("", "/"), name).map(([slash, parts]) => slash + parts.join("/"));
    const entry = fc.record({
      name: name.map((parts) => parts.join("/")),
      type: fc.constantFrom("file" as const, "directory" as const, "symlink" as const, "link" as const),
      linkname: fc.oneof(target, fc.constant("OUTSIDE")),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
        rmSync(root, { recursive: true });
        mkdirSync(root);
        const real = entries.map((one) => ({ ...one, linkname: one.linkname.replace("OUTSIDE", `${top}/outside`) }));
        await unpack(real).catch(() => undefined);
        expect(outside()).toEqual(NOTHING);
      }),
      { numRuns: 150 },
    );
  });
});
