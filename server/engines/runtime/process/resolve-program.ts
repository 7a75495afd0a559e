import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { RuntimeError } from "../runtime";
import { imageFile } from "./image-file";
import { libraryFolders } from "./library-folders";
import { readProgram } from "./read-program";

/** How images are looked into. */
export interface ImageView {
  /** The folder with the files of the image. */
  root: string;
  /** Of the program, as the image names it. */
  workingDir: string;
  /** Of the program, such as PATH. */
  env: ReadonlyMap<string, string>;
  /** `amd64`, `arm64`. */
  architecture: string;
}

export const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** In ELF (System V ABI, supplements of the processors). */
const MACHINES: Readonly<Record<string, number>> = { amd64: 62, arm64: 183 };
/** A script may be the interpreter of another one, as often as the kernel allows it. */
const SCRIPTS_MAX = 4;

/**
 * The command with which the node runs a command of an image: programs with their own dynamic loader and libraries,
 * scripts with their own interpreter. Throws `start_failed` for what is not in the image or cannot be run.
 */
export async function resolveProgram(command: readonly string[], view: ImageView): Promise<string[]> {
  return resolve(command, view, SCRIPTS_MAX);
}

async function resolve(
  [name = "", ...args]: readonly string[],
  view: ImageView,
  scriptsMax: number,
): Promise<string[]> {
  const { root, architecture } = view;
  const found = await findProgram(name, view);
  const program = await readProgram(found.file);
  if (program.kind === "other") throw failed(`${name} is neither a program for Linux nor a script with "#!"`);
  if (program.kind === "script") {
    if (scriptsMax === 0) throw failed(`${name} is a script whose interpreter is a script, too often`);
    // Its interpreter opens the script, whose path must be one of the node.
    return resolve(
      [...withoutEnv(program.interpreter), found.path, ...args],
      { ...view, workingDir: "/" },
      scriptsMax - 1,
    );
  }
  if (program.machine !== MACHINES[architecture]) throw failed(`${name} is a program for another processor`);
  if (program.interpreter === undefined) return [found.path, ...args];
  const loader = await imageFile(root, program.interpreter);
  if (loader === undefined) throw failed(`the image lacks the loader ${program.interpreter} of ${name}`);
  const libraries = await libraryFolders(root, view.env.get("LD_LIBRARY_PATH"));
  // musl has no cache; that of the node lists libraries of other versions.
  const options = path.basename(loader).startsWith("ld-musl") ? [] : ["--inhibit-cache"];
  return [loader, ...options, "--library-path", libraries.join(":"), found.path, ...args];
}

/** `env` would look for the interpreter on the node. */
function withoutEnv(interpreter: readonly string[]): readonly string[] {
  const [program = "", argument = ""] = interpreter;
  return path.posix.basename(program) === "env" && /^[^-=\s]+$/.test(argument) ? [argument] : interpreter;
}

interface Found {
  /** With the links of the image, so that the program sees the name by which it was called. */
  path: string;
  /** The file itself. */
  file: string;
}

async function findProgram(name: string, { root, workingDir, env }: ImageView): Promise<Found> {
  const folders = name.includes("/") ? [workingDir] : (env.get("PATH") ?? DEFAULT_PATH).split(":");
  let isThere = false;
  for (const folder of folders) {
    const relative = path.posix.resolve("/", folder, name);
    const file = await imageFile(root, relative);
    if (file === undefined) continue;
    isThere = true;
    if (await isExecutable(file)) return { path: path.join(root, relative), file };
  }
  throw failed(isThere ? `${name} in the image is not a file that can be run` : `the image has no program ${name}`);
}

async function isExecutable(file: string): Promise<boolean> {
  if (!(await stat(file)).isFile()) return false;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const failed = (why: string): RuntimeError => new RuntimeError("start_failed", `The program cannot be run: ${why}.`);
