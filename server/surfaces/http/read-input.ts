import { z } from "zod";
import { boundedInput } from "../../kernel/bounded-input";
import { ServiceError } from "../../kernel/errors";
import { withMarksOf } from "../../kernel/relayed-json";
import { escapesRefusal } from "../../kernel/strict-escapes";
import { strictText } from "../../kernel/strict-text";
import { parseInput } from "../../operation/parse-input";
import type { Input, ReadInput } from "../../operation/pipeline";
import type { Route } from "../../operation/route";
import { LARGE_BODY_LENGTH, readSizedJson, requireMediaType } from "./read-body";
import { createNumberCheck } from "./whole-numbers";

/**
 * Reads the input of a route: its path parameters and the query or JSON body. Unknown fields are rejected, unless the
 * operation's input is loose. Returns the input as sent and as parsed.
 */
export function createInputReader(
  route: Route,
): (request: Request, params: Record<string, string>) => Promise<ReadInput> {
  const { operation, path } = route;
  const schema = strictUnlessLoose(operation.input);
  const takesNoBody =
    !operation.requiresOneOf &&
    Object.entries(operation.input.shape).every(
      ([name, field]) => path.includes(`{${name}}`) || field.safeParse(undefined).success,
    );
  const checkNumbers = createNumberCheck(operation.input);
  const hasQuery = operation.upload !== undefined || route.method === "GET" || route.method === "DELETE";
  return async (request, params) => {
    const { rest, isLarge, json } = await readRest(route, request, takesNoBody);
    for (const name of Object.keys(rest)) {
      if (name in params) {
        throw new ServiceError("invalid_request", `${name}: it is part of the path; omit it here.`, {
          param: name,
        });
      }
    }
    const sent = { ...rest, ...params };
    checkNumbers(hasQuery ? sent : params);
    const input = parseInput(schema, sent);
    return { sent, input: json === undefined ? input : withMarksOf(input, strictText(json)), isLarge };
  };
}

const strictUnlessLoose = (input: z.ZodObject): z.ZodObject =>
  input.def.catchall instanceof z.ZodUnknown ? input : input.strict();

interface Rest {
  rest: Input;
  isLarge: boolean;
  /** The body, of an operation that passes it on. */
  json?: Uint8Array;
}

async function readRest({ operation, method }: Route, request: Request, takesNoBody: boolean): Promise<Rest> {
  if (operation.upload) {
    requireMediaType(request.headers.get("content-type"), operation.upload);
    const encoding = request.headers.get("content-encoding");
    const query = queryOf(request);
    const content_type = request.headers.get("content-type") ?? "";
    return short({ ...query, content_type, ...(encoding === null ? {} : { content_encoding: encoding }) });
  }
  if (method === "GET" || method === "DELETE") return short(queryOf(request));
  // An action such as revoke may need no body.
  if (method === "POST" && takesNoBody && !hasBody(request)) return short({});
  const { value: body, length, bytes } = await readSizedJson(request, ["application/json"], operation.inputLimits);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ServiceError("invalid_request", "The body must be a JSON object.", { param: "body" });
  }
  const isLarge = length > LARGE_BODY_LENGTH;
  return operation.relaysNumbers ? { rest: body as Input, isLarge, json: bytes } : { rest: body as Input, isLarge };
}

const short = (rest: Input): Rest => ({ rest, isLarge: false });

function hasBody({ headers }: Request): boolean {
  const length = headers.get("content-length");
  if (length !== null) return Number(length) > 0;
  return headers.has("transfer-encoding") || headers.has("content-type");
}

/** Returns the query string as an object; a repeated name becomes an array. */
export function queryOf(request: Request): Input {
  const at = request.url.indexOf("?");
  if (at < 0) return {};
  const sent = request.url.slice(at + 1);
  const refusal = escapesRefusal(sent, "The query");
  if (refusal) throw refusal;
  const query: Input = Object.create(null);
  for (const [name, value] of new URLSearchParams(sent)) {
    const before = query[name];
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  return boundedInput(query);
}
