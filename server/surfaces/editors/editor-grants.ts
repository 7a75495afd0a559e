import type { Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import { deriveKey, seal, sha256, unseal } from "../../kernel/secrets";

/**
 * Lets the session of a person use the host of one workspace. A ticket in a link is valid once and for a short time; the
 * cookie of the host, which it is exchanged for, names the session, which is looked up at each request. Both are sealed,
 * so that neither programs in the workspace nor logs have the session.
 */
export interface EditorGrants {
  /** The cookie of the session for a link to a workspace. */
  ticketOf(id: string, session: string): string;
  /** The `Set-Cookie` value for a ticket; undefined if it is not valid, or was used. */
  redeem(id: string, ticket: string): Promise<string | undefined>;
  /** The cookie of the session that a `Cookie` header of the host of a workspace names. */
  sessionOf(id: string, cookies: string | undefined): string | undefined;
  /** A `Cookie` header without the cookie of svc; undefined if nothing remains. */
  withoutOwn(cookies: string | undefined): string | undefined;
  isOwn(setCookie: string): boolean;
}

interface GrantParts {
  /** The root secret of the installation. */
  secret: string;
  clock: Clock;
  counters: Pick<Counters, "count">;
  isSecure: boolean;
}

const TICKET_MS = 30_000;
const COOKIE_SECONDS = 12 * 3600;
const COOKIES_MAX = 4;

export function createEditorGrants({ secret, clock, counters, isSecure }: GrantParts): EditorGrants {
  const key = deriveKey(secret, "workspaces");
  const name = `${isSecure ? "__Host-" : ""}svc_workspace`;
  const isNamed = (pair: string): boolean => pair.split("=", 1)[0]?.trim() === name;
  const make = (purpose: string, session: string, ms: number): string =>
    seal(key, JSON.stringify({ session, until: clock.now().getTime() + ms }), purpose);
  const read = (purpose: string, sealed: string): string | undefined => {
    const text = unseal(key, sealed, purpose);
    if (text === undefined) return undefined;
    const { session, until } = JSON.parse(text) as { session: string; until: number };
    return until > clock.now().getTime() ? session : undefined;
  };
  return {
    ticketOf: (id, session) => make(`ticket ${id}`, session, TICKET_MS),
    redeem: async (id, ticket) => {
      const session = read(`ticket ${id}`, ticket);
      if (session === undefined) return undefined;
      const [uses] = await counters.count([{ key: `editor-ticket:${sha256(ticket)}`, by: 1, lifeMs: 2 * TICKET_MS }]);
      if (uses !== 1) return undefined;
      const value = make(`cookie ${id}`, session, COOKIE_SECONDS * 1000);
      const attributes = `Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      return `${name}=${value}; ${attributes}`;
    },
    // Another workspace can set a cookie with this name for all of them, which does not open this one.
    sessionOf: (id, cookies = "") =>
      cookies
        .split(";")
        .filter(isNamed)
        .slice(0, COOKIES_MAX)
        .map((pair) => read(`cookie ${id}`, pair.slice(pair.indexOf("=") + 1).trim()))
        .find((session) => session !== undefined),
    withoutOwn: (cookies = "") => {
      const kept = cookies.split(";").filter((pair) => pair.trim() !== "" && !isNamed(pair));
      return kept.length === 0 ? undefined : kept.join(";").trim();
    },
    isOwn: isNamed,
  };
}
