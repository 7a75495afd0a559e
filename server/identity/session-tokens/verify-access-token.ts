import type { KeyObject } from "node:crypto";
import { errors, jwtVerify } from "jose";
import { z } from "zod";
import { type AccessGrant, ALGORITHM, AUDIENCE } from "./access-token";

/** Tokens of svc have about 450 characters. */
const TOKEN_LENGTH_MAX = 2048;
/** An hour, plus a minute of clock difference between machines. */
const LIFE_SECONDS_MAX = 61 * 60;

/** The only header fields and claims that svc issues; tokens with `crit`, `jwk`, `zip` or others are rejected. */
const Header = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal("JWT"), kid: z.string().max(64) });

const Claims = z.object({
  aud: z.literal(AUDIENCE),
  sub: z.string().min(1),
  tid: z.string().min(1),
  sid: z.string().min(1),
  jti: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
});

export interface VerifyOptions {
  findKey: (kid: string) => Promise<KeyObject | undefined>;
  issuer: string;
  now: Date;
}

/**
 * Returns the claims of a token that svc signed; undefined for any other text, and for a token that is not in the exact
 * form that svc issues (spaces, padding, unused bits, duplicate names, other header fields, a lifetime of more than 61
 * minutes).
 */
export async function verifyAccessToken(
  token: string,
  { findKey, issuer, now }: VerifyOptions,
): Promise<AccessGrant | undefined> {
  const header = canonicalHeader(token);
  const secret = header && (await findKey(header.kid));
  if (!secret) return undefined;
  const verified = await jwtVerify(token, secret, {
    algorithms: [ALGORITHM],
    issuer,
    audience: AUDIENCE,
    currentDate: now,
  }).catch(refused);
  const claims = Claims.safeParse(verified?.payload).data;
  if (!claims) return undefined;
  const { iat, exp } = claims;
  if (exp - iat > LIFE_SECONDS_MAX || exp * 1000 - now.getTime() > LIFE_SECONDS_MAX * 1000) return undefined;
  return { userId: claims.sub, tenantId: claims.tid, sessionId: claims.sid };
}

function canonicalHeader(token: string): z.output<typeof Header> | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  const [header = "", claims = "", signature = "", ...more] = token.split(".");
  const isCanonical = isCanonicalJson(header) && isCanonicalJson(claims) && encoded(decoded(signature)) === signature;
  if (!isCanonical || signature === "" || more.length > 0) return undefined;
  return Header.safeParse(JSON.parse(decoded(header).toString())).data;
}

function isCanonicalJson(part: string): boolean {
  try {
    return encoded(Buffer.from(JSON.stringify(JSON.parse(decoded(part).toString())))) === part;
  } catch {
    return false;
  }
}

const decoded = (part: string): Buffer => Buffer.from(part, "base64url");
const encoded = (bytes: Buffer): string => bytes.toString("base64url");

function refused(cause: unknown): undefined {
  if (!(cause instanceof errors.JOSEError)) throw cause;
}
