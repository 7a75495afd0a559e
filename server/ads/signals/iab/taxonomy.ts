/** Stands between the names of a path, as in a feed's product categories. */
const SEPARATOR = " > ";

/**
 * A look-up from the ids of a taxonomy, in lower case, to their category paths, parent first:
 * "635" gives "Technology & Computing > Consumer Electronics > Smartphones".
 *
 * @param table one line an entry: id, tab, id of the parent (nothing at the top), tab, name; a parent stands above its
 * children. It is read at the first look-up and kept.
 */
export function taxonomy(table: string): (id: string) => string | undefined {
  let paths: Map<string, string> | undefined;
  return (id) => {
    paths ??= readPaths(table);
    return paths.get(id);
  };
}

function readPaths(table: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const line of table.trim().split("\n")) {
    const [id = "", parent = "", name = ""] = line.split("\t");
    const above = paths.get(parent.toLowerCase());
    paths.set(id.toLowerCase(), above === undefined ? name : above + SEPARATOR + name);
  }
  return paths;
}
