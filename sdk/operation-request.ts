import type { FeedBody, Operation } from "./operation";
import type { Sending } from "./send-operation";

type Input = Record<string, unknown>;

interface Base {
  baseUrl: string;
  headers: Record<string, string>;
}

/** A request made of an operation and its input. @throws TypeError for a path parameter that is missing. */
export function sendingOf(operation: Operation, input: Input, { baseUrl, headers }: Base): Sending {
  const { body: feed, content_type, content_encoding, ...fields } = operation.upload ? input : { ...input };
  const rest: Input = operation.upload ? fields : { ...input };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return segmentOf(name, value);
  });
  const url = new URL(`${baseUrl}${path}`);
  const inQuery = operation.body ? (operation.query ?? []) : Object.keys(rest);
  for (const name of inQuery) {
    const value = rest[name];
    delete rest[name];
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  const sending = { operation, url: url.href };
  if (operation.upload) return { ...sending, ...uploadOf(feed, { content_type, content_encoding }, headers) };
  if (!operation.body) return { ...sending, headers, body: undefined, canRepeatBody: true };
  const json = JSON.stringify(rest);
  const jsonHeaders = { ...headers, "Content-Type": "application/json" };
  return { ...sending, headers: jsonHeaders, body: () => json, canRepeatBody: true };
}

/** One segment of a path; `.` and `..` would climb out of it even when they are escaped. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new TypeError(`${name} must be a text that is not empty.`);
  }
  return encodeURIComponent(value);
}

function uploadOf(
  feed: unknown,
  { content_type, content_encoding }: Input,
  headers: Record<string, string>,
): Pick<Sending, "headers" | "body" | "canRepeatBody"> {
  if (feed === undefined || feed === null) throw new TypeError("body must be a feed: text, bytes or a stream.");
  const given = feed as FeedBody;
  const encoding = content_encoding === undefined ? {} : { "Content-Encoding": String(content_encoding) };
  return {
    headers: { ...headers, "Content-Type": String(content_type), ...encoding },
    body: () => (typeof given === "function" ? given() : given),
    canRepeatBody: !(given instanceof ReadableStream),
  };
}
