import { readdirSync } from "node:fs";
import path from "node:path";

const APP_DIR = path.resolve(import.meta.dirname, "../../app");
const FILE = "page.tsx";

/** A page of the app by its address, in which `[id]` is any segment. */
export interface Route {
  route: string;
  isBehindLogIn: boolean;
  isDynamic: boolean;
}

/** Every page of the app, read from its folders, so that a new one is in the list at once. */
export const APP_ROUTES: readonly Route[] = readdirSync(APP_DIR, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === FILE)
  .map((file) => {
    const folders = path.dirname(file).split(path.sep);
    const segments = folders.filter((folder) => folder !== "." && !/^\(.*\)$/.test(folder));
    return {
      route: `/${segments.join("/")}`,
      isBehindLogIn: folders.includes("(dashboard)"),
      isDynamic: segments.some((segment) => segment.startsWith("[")),
    };
  })
  .toSorted((a, b) => a.route.localeCompare(b.route, "en"));

/** The page at an address of svc: a page with that very path, else one with a variable segment; undefined if there is none. */
export function routeOf(url: string): string | undefined {
  const { pathname } = new URL(url, "http://localhost");
  const isOf = ({ route }: Route) => new RegExp(`^${route.replaceAll(/\[\w+\]/g, "[^/]+")}/?$`).test(pathname);
  return (APP_ROUTES.find((each) => !each.isDynamic && isOf(each)) ?? APP_ROUTES.find(isOf))?.route;
}
