import { ServiceError } from "../../kernel/errors";
import type { VisitorCtx } from "../identity-ctx";
import { FAMILY_LIFE_SECONDS } from "./session-token";

const NAME = "svc_refresh";

/** `newToken` makes 52 characters; anything else is refused without a look-up. */
const VALUE = "[a-z2-7]{52}";

type CookieCtx = Pick<VisitorCtx, "publicUrl" | "request">;

/**
 * The `Set-Cookie` value that hands a refresh token to a browser. Behind https the name begins with `__Secure-`, which
 * browsers take from https alone, so that nobody on an unencrypted network can plant one.
 */
export const refreshCookie = ({ publicUrl }: Pick<CookieCtx, "publicUrl">, token: string): string =>
  cookieOf(publicUrl, token, FAMILY_LIFE_SECONDS);

/** The `Set-Cookie` value that removes it. */
export const clearedRefreshCookie = ({ publicUrl }: Pick<CookieCtx, "publicUrl">): string => cookieOf(publicUrl, "", 0);

/**
 * The refresh token that a browser sent, if any. Throws `forbidden` when the page of another origin had it sent: cookies
 * go along by themselves, and SameSite does not know ports and subdomains.
 */
export function presentedRefreshToken({ publicUrl, request }: CookieCtx): string | undefined {
  refuseForeignOrigin({ publicUrl, request });
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
