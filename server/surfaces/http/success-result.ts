import { exactJson } from "../../kernel/exact-number";
import type { Download } from "../../operation/operation";
import type { Input } from "../../operation/pipeline";
import { Reply } from "../../operation/reply";
import type { Route } from "../../operation/route";
import { eventStream } from "./event-stream";
import type { HttpResult } from "./http-result";

const CSV = "text/csv; charset=utf-8; header=present";
/** Spreadsheet programs read a CSV file as UTF-8 only behind it. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Builds the HTTP response of a successful call: JSON, CSV, no content, a download or server-sent events. */
export function resultOf({ operation, status }: Route, result: unknown, input: Input): HttpResult {
  if (result instanceof Reply) return replyOf(result);
  const headers: Record<string, string> = {};
  const value = operation.usesCookie ? takeCookie(result as { cookie: string }, headers) : result;
  if (status === 204 || (operation.mayContinue && value === undefined)) return { status: 204, headers, body: null };
  if (operation.streams === "text/event-stream") return eventStream(value as AsyncIterable<unknown>, headers);
  if (operation.streams !== undefined) return downloadOf(value as Download, operation.streams, headers);
  if (operation.csv && input.format === "csv") {
    return {
      status,
      headers: { ...headers, "content-type": CSV },
      body: BYTE_ORDER_MARK + operation.csv(value as never),
    };
  }
  headers["content-type"] = "application/json";
  return { status, headers, body: exactJson(value) };
}

function replyOf({ body, headers }: Reply): HttpResult {
  if (!(body instanceof ReadableStream)) {
    return { status: 200, headers: { ...headers, "content-type": "application/json" }, body };
  }
  return {
    status: 200,
    // Proxies such as nginx would otherwise collect events before they pass them on.
    headers: { ...headers, "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
    body,
  };
}

/** The cookie is sent as a header, which scripts of a page cannot read. */
function takeCookie({ cookie, ...rest }: { cookie: string }, headers: Record<string, string>): object {
  headers["set-cookie"] = cookie;
  return rest;
}

function downloadOf({ body, filename }: Download, type: string, headers: Record<string, string>): HttpResult {
  headers["content-type"] = type;
  if (filename !== undefined) {
    headers["content-disposition"] = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
  }
  return { status: 200, headers, body };
}
