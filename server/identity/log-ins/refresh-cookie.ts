import { ServiceError } from "../../kernel/errors";
import type { VisitorCtx } from "../identity-ctx";

/** How long a session lasts after its last refresh. */
export const FAMILY_LIFE_SECONDS = 30 * 24 * 60 * 60;

const NAME = "svc_refresh";

/** `newToken` generates 52 characters; anything else is rejected without a lookup. */
const VALUE = "[a-z2-7]{52}";

type CookieCtx = Pick<VisitorCtx, "publicUrl" | "request">;

/**
 * Returns the `Set-Cookie` value with a refresh token. With https its name begins with `__Secure-`, which browsers
 * accept only over https, so that an attacker on an unencrypted network cannot set it.
 */
export const refreshCookie = ({ publicUrl }: Pick<CookieCtx, "publicUrl">, token: string): string =>
  cookieOf(publicUrl, token, FAMILY_LIFE_SECONDS);

/** Returns the `Set-Cookie` value that deletes the cookie. */
export const clearedRefreshCookie = ({ publicUrl }: Pick<CookieCtx, "publicUrl">): string => cookieOf(publicUrl, "", 0);

/**
 * Returns the refresh token of the request, if any. Throws `forbidden` for a request from a page of another origin:
 * browsers send cookies automatically, and SameSite ignores ports and subdomains.
 */
export function presentedRefreshToken({ publicUrl, request }: CookieCtx): string | undefined {
  refuseForeignOrigin({ publicUrl, request });
  return refreshTokenIn({ publicUrl, request });
}

/** Like `presentedRefreshToken`, but without the origin check: only for uses that grant no access. */
export function refreshTokenIn({ publicUrl, request }: CookieCtx): string | undefined {
  const cookie = new RegExp(`(?:^|;) ?${nameOf(publicUrl)}=(${VALUE})(?:;|$)`);
  return cookie.exec(request.browser?.cookies ?? "")?.[1];
}

export function refuseForeignOrigin({ publicUrl, request }: CookieCtx): void {
  const origin = request.browser?.origin;
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new ServiceError("forbidden", `Only pages of ${new URL(publicUrl).origin} may call this from a browser.`, {
    details: { reason: "foreign_origin" },
  });
}

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith("https:");

const nameOf = (publicUrl: string): string => (isSecure(publicUrl) ? `__Secure-${NAME}` : NAME);

const cookieOf = (publicUrl: string, value: string, maxAgeSeconds: number): string =>
  `${nameOf(publicUrl)}=${value}; Path=/v1/auth; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${
    isSecure(publicUrl) ? "; Secure" : ""
  }`;
