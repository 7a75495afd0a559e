import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { imageFile } from "./image-file";

/** Of the loaders of glibc and musl, with the folders of Debian for each processor. */
const DEFAULTS = ["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"];
const OF_PROCESSORS = ["x86_64-linux-gnu", "aarch64-linux-gnu"];
const CONFIGURATION = "/etc/ld.so.conf";
const CONFIGURATIONS = "/etc/ld.so.conf.d";
const FILES_MAX = 100;

/** The folders of an image with libraries, on the node: of LD_LIBRARY_PATH, of ld.so.conf, and the usual ones. */
export async function libraryFolders(root: string, ldLibraryPath = ""): Promise<string[]> {
  const usual = DEFAULTS.flatMap((folder) => [...OF_PROCESSORS.map((name) => `${folder}/${name}`), folder]);
  const wanted = [...ldLibraryPath.split(":"), ...(await configured(root)), ...usual];
  const folders = new Set<string>();
  for (const folder of wanted.filter((one) => one.startsWith("/") && !one.includes(":"))) {
    const found = await imageFile(root, folder);
    if (found !== undefined) folders.add(found);
  }
  return [...folders];
}

/** Lines of ld.so.conf that are folders; what it includes is nearly always the folder of configurations. */
async function configured(root: string): Promise<string[]> {
  const folder = await imageFile(root, CONFIGURATIONS);
  const names = folder === undefined ? [] : await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".conf")).sort();
  const texts = [CONFIGURATION, ...files.slice(0, FILES_MAX).map((name) => path.posix.join(CONFIGURATIONS, name))];
  const lines = await Promise.all(texts.map((file) => linesOf(root, file)));
  return lines.flat().filter((line) => line.startsWith("/"));
}

async function linesOf(root: string, file: string): Promise<string[]> {
  const found = await imageFile(root, file);
  const text = found === undefined ? "" : await readFile(found, "utf8").catch(() => "");
  return text.split("\n").map((line) => line.trim());
}
