import { ServiceError } from "../../kernel/errors";
import { MCP_PATH } from "./mcp-path";
import { TOOLSETS } from "./toolsets";

/** Which tools an address of the endpoint has, and how it lists them. */
export interface ToolView {
  /** `full`: with all constraints and the schemas of results. */
  schemas: "brief" | "full";
  /** Undefined: all. */
  toolsets: ReadonlySet<string> | undefined;
  /** Only tools that change nothing. */
  isReadOnly: boolean;
  /** The same for equal views. */
  key: string;
}

const PATH = /^\/v1\/mcp(?:\/x\/([^/]*))?(\/readonly)?$/;
const PARAMETERS = ["schemas", "toolsets"];

/** Whether a path is one of the endpoint: `/v1/mcp`, `/v1/mcp/x/pods,ads`, either with `/readonly` after it. */
export const isMcpPath = (pathname: string): boolean => pathname.startsWith(MCP_PATH) && PATH.test(pathname);

/**
 * The view that a request names by its path, its headers `X-SVC-Toolsets` and `X-SVC-Readonly`, and its query; what is
 * named several times has to agree with all of them. Throws `invalid_request` for an unknown name or value.
 */
export function toolViewOf({ url, headers }: Pick<Request, "url" | "headers">): ToolView {
  const { pathname, searchParams } = new URL(url);
  const [, inPath, readOnlyPath] = PATH.exec(pathname) ?? [];
  const schemas = schemasOf(searchParams);
  const named = [
    { param: "toolsets", names: inPath === undefined ? undefined : decoded(inPath) },
    { param: "toolsets", names: searchParams.get("toolsets") ?? undefined },
    { param: "X-SVC-Toolsets", names: headers.get("x-svc-toolsets") ?? undefined },
  ].flatMap(({ param, names }) => (names === undefined ? [] : [toolsetsNamed(names, param)]));
  const common = TOOLSETS.filter((name) => named.every((names) => names.has(name)));
  const toolsets = named.length === 0 ? undefined : new Set(common);
  const isReadOnly = isReadOnlyAsked(headers) || readOnlyPath !== undefined;
  const key = JSON.stringify([schemas, toolsets && common, isReadOnly]);
  return { schemas, toolsets, isReadOnly, key };
}

function schemasOf(searchParams: URLSearchParams): ToolView["schemas"] {
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw refusal(unknown.slice(0, 100), `unknown parameter; there are ${PARAMETERS.join(" and ")}`);
  const schemas = searchParams.get("schemas") ?? "brief";
  if (schemas === "brief" || schemas === "full") return schemas;
  throw refusal("schemas", "expected brief or full");
}

function isReadOnlyAsked(headers: Headers): boolean {
  const asked = headers.get("x-svc-readonly") ?? "false";
  if (asked === "true" || asked === "false") return asked === "true";
  throw refusal("X-SVC-Readonly", "expected true or false");
}

function toolsetsNamed(names: string, param: string): ReadonlySet<string> {
  const named = names.split(",").map((name) => name.trim());
  if (named.every((name) => TOOLSETS.includes(name))) return new Set(named);
  throw refusal(param, `expected one or more of ${TOOLSETS.join(", ")}, separated by commas`);
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const refusal = (param: string, expected: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${expected}.`, { param });
