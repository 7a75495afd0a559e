import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

export type LayerEntry = Partial<Header> & Pick<Header, "name"> & { content?: string | Buffer };

/** An uncompressed layer with these entries, as they are: also those that no program would make. */
export async function tarOf(entries: readonly LayerEntry[]): Promise<Buffer> {
  const archive = pack();
  for (const { content = "", ...header } of entries) {
    const bytes = Buffer.from(content);
    archive.entry({ mode: 0o644, type: "file", ...header, size: bytes.length }, bytes);
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export const layerOf = async (entries: readonly LayerEntry[]): Promise<{ bytes: Buffer }> => ({
  bytes: gzipSync(await tarOf(entries), { level: 1 }),
});

/** What the workloads of tests use, from the node that runs the tests. */
const PROGRAMS = [
  "sh",
  "sleep",
  "cat",
  "id",
  "mkdir",
  "rm",
  "tail",
  "ls",
  "ln",
  "mv",
  "unshare",
  "stty",
  "setsid",
  "env",
];

/** A layer with a shell, some programs and the libraries that they need; a sentence if this node has none. */
export async function shellLayer(): Promise<{ bytes: Buffer } | string> {
  return programLayer(PROGRAMS);
}

/** A layer with programs of /bin and the libraries that they need; a sentence if this node lacks one. */
export async function programLayer(names: readonly string[]): Promise<{ bytes: Buffer } | string> {
  const files = new Map<string, Buffer>();
  for (const name of names) {
    const file = `/bin/${name}`;
    if (!existsSync(file)) return `this node has no ${file}`;
    files.set(file, readFileSync(file));
    for (const library of librariesOf(file)) files.set(library, readFileSync(library));
  }
  const entries = [...files].map(([file, content]) => ({ name: file.slice(1), mode: 0o755, content }));
  return layerOf(entries);
}

/** What a module of the standard library needs, as files of this node. */
const PYTHON_FILES = `import asyncio, datetime, importlib.util, inspect, io, json, os, sys, tempfile, traceback
import encodings.idna, encodings.utf_8, http.server, socketserver, threading, urllib.request
files = {m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
print("\\n".join(sorted(files)))`;

/** A layer with Python and what programs of the tests import; a sentence if this node has no Python in /usr/bin. */
export async function pythonLayer(): Promise<{ bytes: Buffer } | string> {
  const python = "/usr/bin/python3";
  if (!existsSync(python)) return `this node has no ${python}`;
  const modules = execFileSync(python, ["-I", "-S", "-c", PYTHON_FILES], { encoding: "utf8" }).trim().split("\n");
  const programs = [python, ...modules.filter((file) => file.endsWith(".so"))];
  const files = new Set([...programs, ...modules, ...programs.flatMap(librariesOf)]);
  return layerOf([...files].map((file) => ({ name: file.slice(1), mode: 0o755, content: readFileSync(file) })));
}

const knownLibraries = new Map<string, string[]>();

/** What a program of this node needs. Known ones are not asked again: a large process takes long to start another. */
function librariesOf(file: string): string[] {
  const known = knownLibraries.get(file) ?? readLibraries(file);
  knownLibraries.set(file, known);
  return known;
}

function readLibraries(file: string): string[] {
  try {
    const output = execFileSync("ldd", [file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return [...output.matchAll(/(\/[^\s()]+) \(0x/g)].map(([, library = ""]) => library);
  } catch {
    // A static program.
    return [];
  }
}
