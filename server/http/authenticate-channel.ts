import type { Catalog } from "../ads/ranking/catalog";
import type { ServingChannel } from "../ads/ranking/serving";
import { ServiceError } from "../kernel/errors";
import { sha256 } from "../kernel/secrets";

const KEY = /^svc_(srv|pub)_[a-z2-7]{48}$/;
const REFUSAL = "Send a valid channel key in X-SVC-API-Key. A browser key works only from the origins of its channel.";

export interface KnownKey {
  channel: ServingChannel;
  kind: "server" | "browser";
  keyId: string;
}

/**
 * The channel of the request's key. A missing, malformed, unknown or revoked key, and a browser key from a foreign
 * place, are answered alike and after the same work.
 */
export function authenticateChannel(
  request: Request,
  { catalog, publicUrl }: { catalog: Pick<Catalog, "channelByKeyHash">; publicUrl: string },
): KnownKey {
  const key = request.headers.get("x-svc-api-key") ?? "";
  const known = catalog.channelByKeyHash(sha256(key));
  if (!known || !KEY.test(key)) throw refusal();
  const {
    channel,
    key: { id, kind },
  } = known;
  if (kind === "browser" && !fromOwnOrigin(request, channel, publicUrl)) throw refusal();
  return { channel, kind, keyId: id };
}

const refusal = () => new ServiceError("unauthorized", REFUSAL);

/** Browsers leave Origin off a same-origin GET and say so in Sec-Fetch-Site. */
function fromOwnOrigin(request: Request, channel: ServingChannel, publicUrl: string): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return channel.origins.includes(origin);
  const isRead = request.method === "GET" || request.method === "HEAD";
  return (
    isRead &&
    request.headers.get("sec-fetch-site") === "same-origin" &&
    channel.origins.includes(new URL(publicUrl).origin)
  );
}
