import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { pack } from "tar-stream";
import { isAccessible } from "../../file-failures";
import { addTarEntry } from "../add-tar-entry";
import { RuntimeError } from "../runtime";
import type { ImageConfig } from "./image-documents";

/** What an image is made of, besides the libraries that its programs need. */
export interface HostImageRecipe {
  /** Names of programs in /usr/sbin, /usr/bin, /sbin or /bin. */
  programs: readonly string[];
  /** The folder, below the one of the libraries of the node's architecture, whose modules its programs load. */
  modules: string;
  /** Modules that it does without, because their libraries are no part of it. */
  without: readonly string[];
  /** What to install when something is missing. */
  packages: readonly string[];
  /** Further files, by their path. */
  texts: Readonly<Record<string, string>>;
}

/** An image with files of this node. */
export interface HostImage {
  config: ImageConfig;
  /** The SHA-256 of its contents, in the form of OCI. */
  digest: string;
  /** Its only layer, uncompressed. */
  tar(): Readable;
}

interface File {
  path: string;
  content: Buffer;
}

const PROGRAM_DIRS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] as const;
/** As on Debian, where these folders are links. */
const LINKS = ["bin", "sbin", "lib", "lib64"] as const;
const LDD_MS = 20_000;
const LDD_BYTES_MAX = 4 * 1024 * 1024;
const CONFIG: ImageConfig = {
  entrypoint: [],
  cmd: ["/bin/sh"],
  env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
  user: "",
  workingDir: "/",
  stopSignal: "SIGTERM",
};

/** The first program or folder that this node lacks, with the packages that have it; undefined: it has all. */
export async function missingOf(recipe: HostImageRecipe): Promise<string | undefined> {
  for (const name of recipe.programs) if (!(await pathOf(name))) return lacking(name, recipe);
  return (await modulesDir(recipe)) ? undefined : lacking(`the folder ${recipe.modules}`, recipe);
}

/** Reads the programs of a recipe with all that they need. Throws `image_not_found` if this node lacks one. */
export async function readHostImage(recipe: HostImageRecipe): Promise<HostImage> {
  const missing = await missingOf(recipe);
  if (missing !== undefined) throw new RuntimeError("image_not_found", missing);
  const files = await filesOf(recipe);
  const hash = createHash("sha256");
  for (const { path: name, content } of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return { config: CONFIG, digest: `sha256:${hash.digest("hex")}`, tar: () => tarOf(files) };
}

async function filesOf(recipe: HostImageRecipe): Promise<File[]> {
  const paths = new Set<string>();
  for (const name of recipe.programs) paths.add((await pathOf(name)) ?? "");
  const dir = (await modulesDir(recipe)) ?? "";
  const isUsed = (name: string) => name.endsWith(".so") && !recipe.without.includes(name);
  const modules = (await readdir(dir)).filter(isUsed).map((name) => path.join(dir, name));
  for (const file of [...modules, ...(await librariesOf([...paths, ...modules]))]) paths.add(file);
  const sorted = [...new Map([...paths].map((file) => [belowUsr(file), file]))].sort();
  const found = await Promise.all(sorted.map(async ([name, file]) => ({ path: name, content: await read(file) })));
  return [
    ...found,
    ...Object.entries(recipe.texts).map(([file, text]) => ({ path: file, content: Buffer.from(text) })),
  ];
}

const belowUsr = (file: string): string => (LINKS.some((name) => file.startsWith(`/${name}/`)) ? `/usr${file}` : file);

/** Programs of Debian are often links to one of several alternatives. */
const read = async (file: string): Promise<Buffer> => readFile(await realpath(file));

async function pathOf(program: string): Promise<string | undefined> {
  for (const dir of PROGRAM_DIRS) {
    const file = path.join(dir, program);
    if (await isAccessible(file)) return file;
  }
  return undefined;
}

/** Where Debian has the libraries of an architecture. */
async function modulesDir({ modules }: HostImageRecipe): Promise<string | undefined> {
  const triplet = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
  const dir = path.join("/usr/lib", triplet, modules);
  return (await isAccessible(dir)) ? dir : undefined;
}

/** The libraries that files need. Modules with one that this node lacks are left as they are: no program loads them. */
async function librariesOf(files: readonly string[]): Promise<string[]> {
  const options = { timeout: LDD_MS, maxBuffer: LDD_BYTES_MAX };
  // Fails after its output when one of the files needs no library.
  const { stdout } = await promisify(execFile)("ldd", files, options).catch((cause: { stdout?: string }) => ({
    stdout: cause.stdout ?? "",
  }));
  return [...stdout.matchAll(/(\/[^\s():]+) \(0x/g)].flatMap(([, library]) => library ?? []);
}

function tarOf(files: readonly File[]): Readable {
  const archive = pack();
  for (const name of LINKS) addTarEntry(archive, { name, type: "symlink", linkname: `usr/${name}` });
  for (const { path: name, content } of files) addTarEntry(archive, { name: name.slice(1), mode: 0o755 }, { content });
  archive.finalize();
  return archive as unknown as Readable;
}

const lacking = (what: string, { packages }: HostImageRecipe): string =>
  `This node has no ${what}; install the packages ${packages.join(", ")}.`;
