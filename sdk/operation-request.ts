import { stringifyJson } from "./exact-json";
import type { FeedBody, Operation } from "./operation";
import type { OperationRequest } from "./send-operation";

type Input = Record<string, unknown>;

interface Base {
  baseUrl: string;
  headers: Record<string, string>;
}

/** The HTTP request for an operation and its input. @throws TypeError for a missing path parameter. */
export function buildRequest(operation: Operation, input: Input, { baseUrl, headers }: Base): OperationRequest {
  const { body: feed, content_type, content_encoding, ...fields } = operation.upload ? input : { ...input };
  const rest: Input = operation.upload ? fields : { ...input };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeSegment(name, value);
  });
  const url = new URL(`${baseUrl}${path}`);
  const inQuery = operation.body ? (operation.query ?? []) : Object.keys(rest);
  for (const name of inQuery) {
    const value = rest[name];
    delete rest[name];
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  const request = { operation, url: url.href, waitMs: waitMsOf(input) };
  if (operation.upload) return { ...request, ...uploadParts(feed, { content_type, content_encoding }, headers) };
  if (!operation.body) return { ...request, headers, body: undefined, canRepeatBody: true };
  const json = stringifyJson(rest);
  const jsonHeaders = { ...headers, "Content-Type": "application/json" };
  return { ...request, headers: jsonHeaders, body: () => json, canRepeatBody: true };
}

/** A long poll is the same on every route: `wait_seconds`. */
const waitMsOf = ({ wait_seconds }: Input): number =>
  typeof wait_seconds === "number" && wait_seconds > 0 ? wait_seconds * 1000 : 0;

/** One path segment; `.` and `..` would change the path even when escaped. */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new TypeError(`${name} must be a non-empty string.`);
  }
  return encodeURIComponent(value);
}

function uploadParts(
  feed: unknown,
  { content_type, content_encoding }: Input,
  headers: Record<string, string>,
): Pick<OperationRequest, "headers" | "body" | "canRepeatBody"> {
  if (feed === undefined || feed === null) throw new TypeError("body must be a feed: text, bytes or a stream.");
  const given = feed as FeedBody;
  const encoding = content_encoding === undefined ? {} : { "Content-Encoding": String(content_encoding) };
  return {
    headers: { ...headers, "Content-Type": String(content_type), ...encoding },
    body: () => (typeof given === "function" ? given() : given),
    canRepeatBody: !(given instanceof ReadableStream),
  };
}
