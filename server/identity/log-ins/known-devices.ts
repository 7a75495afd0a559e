import { timingSafeEqual } from "node:crypto";
import { randomBase32 } from "../../kernel/ids";
import { keyedHash, sha256 } from "../../kernel/secrets";
import { addressHash } from "../address-hash";
import type { VisitorCtx } from "../identity-ctx";
import { refreshTokenIn } from "./refresh-cookie";

/** A browser that has logged in to an account before. */
export interface KnownDevice {
  userId: string;
  /** The id of the browser's bucket of attempts. */
  deviceId: string;
}

type CookieCtx = Pick<VisitorCtx, "publicUrl" | "logInKey" | "request">;

const NAME = "svc_device";
const ID_LENGTH = 26;
/** Longer than any session, because the cookie is used for the login after it. */
const LIFE_SECONDS = 365 * 24 * 60 * 60;
const COOKIE = /(?:^|; ?)(?:__Secure-)?svc_device_[0-9a-f]{8}=(usr_[0-9a-z]+)\.([a-z2-7]{26})\.([0-9a-f]{32})(?=;|$)/g;

/**
 * The known devices that a request proves, by signed device cookies or a valid refresh token. They grant no access;
 * attempts from a known device have their own bucket, which others cannot use up (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies").
 */
export async function knownDevices(ctx: VisitorCtx): Promise<KnownDevice[]> {
  const devices = devicesInCookies(ctx);
  const token = refreshTokenIn(ctx);
  if (token === undefined) return devices;
  const live = { usedAt: null, family: { expiresAt: { gt: ctx.clock.now() } } };
  const refresh = await ctx.db.refreshToken.findFirst({
    where: { hash: sha256(token), ...live },
    select: { family: { select: { id: true, userId: true } } },
  });
  return refresh ? [...devices, { userId: refresh.family.userId, deviceId: refresh.family.id }] : devices;
}

/**
 * Whether an account has an active session from the caller's address; runs the same statements, and returns false, for
 * undefined.
 */
export async function isKnownAddress(
  { db, clock, addressKey, request }: VisitorCtx,
  userId: string | undefined,
): Promise<boolean> {
  const from = { addressHash: addressHash(addressKey, request.address), expiresAt: { gt: clock.now() } };
  const live = { where: { userId: userId ?? "", ...from } };
  const [session, family] = await Promise.all([db.session.findFirst(live), db.refreshFamily.findFirst(live)]);
  return session !== null || family !== null;
}

/** Returns the `Set-Cookie` value that makes this browser known to an account; a known browser keeps its id. */
export function deviceCookie(ctx: CookieCtx, userId: string): string {
  const known = devicesInCookies(ctx).find((device) => device.userId === userId);
  const deviceId = known?.deviceId ?? randomBase32(ID_LENGTH);
  const isSecure = ctx.publicUrl.startsWith("https:");
  const name = `${isSecure ? "__Secure-" : ""}${NAME}_${keyedHash(ctx.logInKey, `name:${userId}`).slice(0, 8)}`;
  const value = `${userId}.${deviceId}.${signatureOf(ctx, { userId, deviceId })}`;
  return `${name}=${value}; Path=/; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

function devicesInCookies(ctx: CookieCtx): KnownDevice[] {
  const found = [...(ctx.request.browser?.cookies ?? "").matchAll(COOKIE)];
  return found.flatMap(([, userId = "", deviceId = "", signature = ""]) => {
    const expected = signatureOf(ctx, { userId, deviceId });
    return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? [{ userId, deviceId }] : [];
  });
}

const signatureOf = ({ logInKey }: CookieCtx, { userId, deviceId }: KnownDevice): string =>
  keyedHash(logInKey, `device:${userId}:${deviceId}`);
