/** Separates the levels of a path, as in a feed's product categories. */
const SEPARATOR = " > ";

/**
 * Maps the lower-case ids of a taxonomy to their category paths, parent first: "635" returns "Technology & Computing >
 * Consumer Electronics > Smartphones".
 *
 * @param entries id, parent id (empty at the top level) and name; a parent precedes its children. The entries are read
 * at the first lookup.
 */
export function taxonomy(entries: readonly (readonly string[])[]): (id: string) => string | undefined {
  let paths: Map<string, string> | undefined;
  return (id) => {
    paths ??= readPaths(entries);
    return paths.get(id);
  };
}

function readPaths(entries: readonly (readonly string[])[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [id = "", parent = "", name = ""] of entries) {
    const above = paths.get(parent.toLowerCase());
    paths.set(id.toLowerCase(), above === undefined ? name : above + SEPARATOR + name);
  }
  return paths;
}
