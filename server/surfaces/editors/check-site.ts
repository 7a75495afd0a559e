import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../kernel/errors";
import { isVisit } from "../ports/is-visit";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Throws `forbidden` for a request that another site makes a browser send, also another workspace, which browsers count as
 * the same site: the origin of a request that has one is exactly that of the workspace, and a WebSocket must have one.
 * People may follow a link to it.
 */
export function checkSite(incoming: IncomingMessage, origin: string): void {
  const { method = "", headers } = incoming;
  const from = headers["sec-fetch-site"];
  if (headers.origin !== undefined || headers.upgrade !== undefined) {
    if (headers.origin === origin) return;
  } else if (from === "same-origin" || from === "none") return;
  else if (from === undefined ? SAFE.has(method) : isVisit(incoming)) return;
  throw new ServiceError("forbidden", "Requests from other origins have no access to a workspace.", {
    details: { reason: "origin" },
  });
}
