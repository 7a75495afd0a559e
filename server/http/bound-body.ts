import type { IncomingMessage, ServerResponse } from "node:http";
import { JSON_BODY_LIMITS } from "../kernel/limit-body";

const UNREAD_MS = 2000;

/**
 * Node's own limit on a whole request would cut long uploads, so what nobody else bounds is cut here: a body that still
 * trickles in 2 s after its answer, and unless it
 * `mayBeLong` one that took 30 s.
 */
export function boundBody(incoming: IncomingMessage, outgoing: ServerResponse, { mayBeLong }: { mayBeLong: boolean }) {
  const { "content-length": length = "0", "transfer-encoding": encoding } = incoming.headers;
  if (length === "0" && encoding === undefined) return;
  const cut = () => {
    if (!incoming.complete) incoming.socket.destroy();
  };
  const late = mayBeLong ? undefined : setTimeout(cut, JSON_BODY_LIMITS.totalMs);
  outgoing.once("close", () => {
    clearTimeout(late);
    if (!incoming.complete) setTimeout(cut, UNREAD_MS).unref();
  });
}
