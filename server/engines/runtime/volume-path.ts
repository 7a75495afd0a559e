const PATH = /^(?:\/[A-Za-z0-9._-]+)+$/;
const PATH_CHARS_MAX = 255;
/** What runtimes mount or write themselves, or where images lead there. */
export const RESERVED_PATHS = ["/dev", "/etc", "/proc", "/run", "/sys", "/usr/local/nvidia", "/var/run"];

/** What is expected instead of a path that no volume can have in a workload; undefined if one can. */
export function volumePathProblem(path: string): string | undefined {
  const isNormal = PATH.test(path) && !path.split("/").some((part) => part === "." || part === "..");
  if (!isNormal || path.length > PATH_CHARS_MAX) {
    return "expected an absolute path such as /workspace: names of A-Z a-z 0-9 . _ - after each /, at most 255 characters, without . and ..";
  }
  const isReserved = RESERVED_PATHS.some((one) => `${path}/`.startsWith(`${one}/`) || one.startsWith(`${path}/`));
  return isReserved
    ? `expected a path that is not ${RESERVED_PATHS.join(", ")}, and neither above nor below one of them: svc mounts its own there`
    : undefined;
}

/** What is wrong with the paths of several volumes of a workload; undefined if nothing is. */
export function volumePathsProblem(paths: readonly string[]): string | undefined {
  const sorted = paths.map((path) => `${path}/`).sort();
  const at = sorted.findIndex((path, i) => i > 0 && path.startsWith(sorted[i - 1] ?? ""));
  if (at < 0) return undefined;
  const [outer, inner] = [sorted[at - 1] ?? "", sorted[at] ?? ""].map((path) => path.slice(0, -1));
  return `expected paths that are not within each other; ${inner} is within ${outer}`;
}
