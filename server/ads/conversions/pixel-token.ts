import { timingSafeEqual } from "node:crypto";
import { keyedHash } from "../../kernel/secrets";

/** The advertiser and mode of a pixel's page. */
export interface PixelOwner {
  tenantId: string;
  advertiserId: string;
  mode: "test" | "live";
}

const TOKEN = /^(test|live)\.(adv_[0-9a-z]{1,60})\.([0-9a-f]{32})$/;

/**
 * `<mode>.<advertiser>.<32 hex digits>`: identifies the reporter and cannot be forged. It is valid until the advertiser
 * is archived or SVC_SECRET changes.
 */
export const pixelToken = (key: Buffer, owner: PixelOwner): string =>
  `${owner.mode}.${owner.advertiserId}.${signature(key, owner)}`;

/** The owner of a token; undefined if the token is malformed or forged, or the advertiser does not exist. */
export function readPixelToken(
  key: Buffer,
  token: string,
  tenantOf: (advertiserId: string) => string | undefined,
): PixelOwner | undefined {
  const [, mode, advertiserId = "", given = ""] = TOKEN.exec(token) ?? [];
  const tenantId = tenantOf(advertiserId);
  if (tenantId === undefined) return undefined;
  const owner = { tenantId, advertiserId, mode: mode as PixelOwner["mode"] };
  return timingSafeEqual(Buffer.from(given), Buffer.from(signature(key, owner))) ? owner : undefined;
}

const signature = (key: Buffer, { tenantId, advertiserId, mode }: PixelOwner): string =>
  keyedHash(key, `pixel\n${mode}\n${tenantId}\n${advertiserId}`);
