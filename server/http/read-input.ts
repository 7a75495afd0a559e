import { ServiceError } from "../kernel/errors";
import type { AnyEndpoint } from "./endpoint";
import { parseInput } from "./parse-input";
import { readJson, refuseUnstorable, requireMediaType } from "./read-body";

export type Input = Record<string, unknown>;

/**
 * Reads what a row takes: its path parameters and, beside them, the query or the JSON body. Fields that the row does not
 * know are refused. The input as it was sent and as the verb gets it.
 */
export function createInputReader<Ctx>(
  row: AnyEndpoint<Ctx>,
): (request: Request, params: Record<string, string>) => Promise<{ sent: Input; input: Input }> {
  const schema = row.input.strict();
  const takesNoBody = Object.entries(row.input.shape).every(
    ([name, field]) => row.path.includes(`{${name}}`) || field.safeParse(undefined).success,
  );
  return async (request, params) => {
    const rest = await readRest(row, request, takesNoBody);
    for (const name of Object.keys(rest)) {
      if (name in params) {
        throw new ServiceError("invalid_request", `${name}: it stands in the path; leave it out here.`, {
          param: name,
        });
      }
    }
    const sent = { ...rest, ...params };
    return { sent, input: parseInput(schema, sent) };
  };
}

async function readRest<Ctx>(row: AnyEndpoint<Ctx>, request: Request, takesNoBody: boolean): Promise<Input> {
  if (row.upload) {
    requireMediaType(request.headers.get("content-type"), row.upload);
    const encoding = request.headers.get("content-encoding");
    const query = queryOf(request);
    return {
      ...query,
      content_type: request.headers.get("content-type") ?? "",
      ...(encoding === null ? {} : { content_encoding: encoding }),
    };
  }
  if (row.method === "GET" || row.method === "DELETE") return queryOf(request);
  // An action such as revoke may need nothing but its path.
  if (row.method === "POST" && takesNoBody && !hasBody(request)) return {};
  const body = await readJson(request, ["application/json"]);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ServiceError("invalid_request", "The body must be a JSON object.", { param: "body" });
  }
  return body as Input;
}

function hasBody({ headers }: Request): boolean {
  const length = headers.get("content-length");
  if (length !== null) return Number(length) > 0;
  return headers.has("transfer-encoding") || headers.has("content-type");
}

/** The query string as an object; a name given twice becomes an array. */
export function queryOf(request: Request): Input {
  const query: Input = Object.create(null);
  const at = request.url.indexOf("?");
  if (at < 0) return query;
  for (const [name, value] of new URLSearchParams(request.url.slice(at + 1))) {
    const before = query[name];
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
  }
  refuseUnstorable(query, "", 0);
  return query;
}
