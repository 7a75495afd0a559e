import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { getPath, tryDecodeURIComponent } from "hono/utils/url";
import { ServiceError } from "../../kernel/errors";
import { escapesRefusal } from "../../kernel/strict-escapes";
import { isSpeculative, TooEarly } from "../../operation/speculation";
import { MethodNotAllowed } from "./error-response";

export interface RouterOptions<Row> {
  rows: readonly Row[];
  /** Whether HEAD runs a GET row and omits the body; true by default. */
  takesHead?: (row: Row) => boolean;
}

/** The row of a request, or the error 404 or 405; 503 for a GET with an effect that a browser sends in advance. */
export type Found<Row> = { row: Row; params: Record<string, string> } | { refusal: ServiceError };

/** The rows with the same path pattern, by method; `names` are the path parameters in order. */
type Place<Row> = Map<string, { row: Row; names: string[] }>;

const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const namesKey = (place: Place<unknown>): boolean => place.get("GET")?.names.at(-1) === "key";

const PARAMETER = /\{(\w+)\}/g;

/**
 * Finds the row of a request with Hono's router; never throws, so that the call can be counted before it is rejected.
 */
export function createRouter<Row extends { method: string; path: string; isSafe: boolean }>(
  options: RouterOptions<Row>,
): (request: Pick<Request, "method" | "url" | "headers">) => Found<Row> {
  const router = new SmartRouter<Place<Row>>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const [shape, place] of placesOf(options)) router.add("ALL", shape, place);
  return (request) => {
    const { method } = request;
    const path = getPath(request as Request);
    const [matched, stash] = router.match("ALL", path);
    const [first] = matched;
    // A literal segment comes first, for every method; only a read of a key, which may be any text, passes it by.
    const read = first?.[0].has(method) ? undefined : matched.find(([each]) => READING.has(method) && namesKey(each));
    const [place, at] = read ?? first ?? [];
    if (!place || !at) {
      return { refusal: new ServiceError("not_found", `There is no ${method} ${path.slice(0, 200)} here.`) };
    }
    const known = place.get(method);
    if (!known) return { refusal: new MethodNotAllowed(method, [...place.keys()]) };
    const refusal = escapesRefusal(path, "The path");
    if (refusal) return { refusal };
    const { headers } = request;
    if (known.row.method === "GET" && !known.row.isSafe && isSpeculative((name) => headers.get(name))) {
      return { refusal: new TooEarly() };
    }
    const params: Record<string, string> = {};
    for (const [i, name] of known.names.entries()) {
      const value = at[`p${i}`] ?? "";
      params[name] = decoded(typeof value === "number" ? (stash?.[value] ?? "") : value);
    }
    return { row: known.row, params };
  };
}

/** Literal segments come before parameters, so that `/keys/mine` does not match `/keys/{id}`. */
function placesOf<Row extends { method: string; path: string }>({
  rows,
  takesHead = () => true,
}: RouterOptions<Row>): [string, Place<Row>][] {
  const places = new Map<string, Place<Row>>();
  for (const row of rows) {
    let position = 0;
    const shape = row.path.replaceAll(PARAMETER, () => `:p${position++}`);
    const place: Place<Row> = places.get(shape) ?? new Map();
    const known = { row, names: [...row.path.matchAll(PARAMETER)].map(([, name = ""]) => name) };
    place.set(row.method, known);
    if (row.method === "GET" && takesHead(row)) place.set("HEAD", known);
    places.set(shape, place);
  }
  const rank = ([shape]: [string, unknown]) => shape.replaceAll(":", "~");
  return [...places].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

const decoded = (value: string): string => (value.includes("%") ? tryDecodeURIComponent(value) : value);
