import { SignJWT } from "jose";
import { newId } from "../../kernel/ids";
import { ACCESS_TOKEN_SECONDS } from "./session-token";
import type { SigningKey } from "./signing-key";

export const ALGORITHM = "HS256";
export const AUDIENCE = "svc";

/** The subject of an access token; `sessionId` is the login that it was issued for. */
export interface AccessGrant {
  userId: string;
  tenantId: string;
  sessionId: string;
}

interface Mint {
  key: SigningKey;
  /** PUBLIC_URL. */
  issuer: string;
  now: Date;
}

/** A JWT signed with HMAC-SHA256 and valid for an hour; its `kid` names the key. */
export function signAccessToken({ key, issuer, now }: Mint, grant: AccessGrant): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  return new SignJWT({ tid: grant.tenantId, sid: grant.sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: key.kid })
    .setIssuer(issuer)
    .setAudience(AUDIENCE)
    .setSubject(grant.userId)
    .setJti(newId("jwt", now.getTime()))
    .setIssuedAt(iat)
    .setExpirationTime(iat + ACCESS_TOKEN_SECONDS)
    .sign(key.secret);
}
