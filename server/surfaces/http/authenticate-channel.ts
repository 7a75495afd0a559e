import type { Catalog } from "../../ads/catalog/catalog";
import { STORE_WAIT_MS } from "../../ads/limits";
import type { ServingChannel } from "../../ads/serving/serving";
import { ServiceError } from "../../kernel/errors";
import { sha256 } from "../../kernel/secrets";
import { withTimeout } from "../../kernel/with-timeout";

const KEY = /^svc_(srv|pub)_[a-z2-7]{48}$/;
const REFUSAL = "Send a valid channel key in X-SVC-API-Key. A browser key works only from the origins of its channel.";

export interface ChannelKeyHolder {
  channel: ServingChannel;
  kind: "server" | "browser";
  keyId: string;
}

/**
 * Returns the channel of the request's key. Throws the same `unauthorized` for a missing, malformed, unknown or revoked
 * key and for a browser key from an origin that is not allowed.
 */
export async function authenticateChannel(
  request: Request,
  { catalog, publicUrl }: { catalog: Pick<Catalog, "channelByKeyHash" | "refresh">; publicUrl: string },
): Promise<ChannelKeyHolder> {
  const key = request.headers.get("x-svc-api-key") ?? "";
  if (!KEY.test(key)) throw refusal();
  const hash = sha256(key);
  const known = catalog.channelByKeyHash(hash) ?? (await lookAgain(catalog, hash));
  if (!known) throw refusal();
  const {
    channel,
    key: { id, kind },
  } = known;
  if (kind === "browser" && !fromOwnOrigin(request, channel, publicUrl)) throw refusal();
  return { channel, kind, keyId: id };
}

/**
 * Another process may have just created the key, so an unknown key triggers a read. While Postgres is unavailable, it
 * stays unknown.
 */
async function lookAgain(catalog: Pick<Catalog, "channelByKeyHash" | "refresh">, hash: string) {
  await withTimeout(STORE_WAIT_MS, catalog.refresh()).catch(() => undefined);
  return catalog.channelByKeyHash(hash);
}

const refusal = () => new ServiceError("unauthorized", REFUSAL);

/** Browsers omit Origin from a same-origin GET and send Sec-Fetch-Site instead. */
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
