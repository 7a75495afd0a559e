import type { Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import { randomBase32 } from "../../kernel/ids";
import { deriveKey, seal, sha256, unseal } from "../../kernel/secrets";

/**
 * Lets the session of a person use the host of one workspace. A ticket in a link is valid once, for a short time and in the
 * browser whose visit it names, so that nobody can make somebody else's browser use it; the cookie of the host, which it is
 * exchanged for, names the session, which is looked up at each request. Ticket and cookie are sealed, so that neither
 * programs in the workspace nor logs have the session.
 */
export interface EditorGrants {
  /** Begins a visit of the host: its name, and the `Set-Cookie` value with which the browser proves that it is its own. */
  beginVisit(): { visit: string; setCookie: string };
  /** The cookie of the session for a link to a workspace. */
  ticketOf(of: EditorVisit, session: string): string;
  /** The `Set-Cookie` value for a ticket; undefined if it is not valid, was used, or is of another browser. */
  redeem(id: string, ticket: string, cookies: string | undefined): Promise<string | undefined>;
  /** The cookie of the session that a `Cookie` header of the host of a workspace names. */
  sessionOf(id: string, cookies: string | undefined): string | undefined;
  /** A `Cookie` header without the cookie of svc; undefined if nothing remains. */
  withoutOwn(cookies: string | undefined): string | undefined;
  isOwn(setCookie: string): boolean;
}

interface EditorVisit {
  /** Of the workspace. */
  id: string;
  visit: string;
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
const PROOF_LENGTH = 32;

export function createEditorGrants({ secret, clock, counters, isSecure }: GrantParts): EditorGrants {
  const key = deriveKey(secret, "workspaces");
  // Another workspace cannot set a cookie of this name for this host where it is secure.
  const prefix = isSecure ? "__Host-" : "";
  const [name, visitName] = [`${prefix}svc_workspace`, `${prefix}svc_workspace_visit`];
  const nameOf = (pair: string): string | undefined => pair.split("=", 1)[0]?.trim();
  const isNamed = (pair: string): boolean => nameOf(pair) === name || nameOf(pair) === visitName;
  const valuesOf = (cookies: string, wanted: string): string[] =>
    cookies
      .split(";")
      .filter((pair) => nameOf(pair) === wanted)
      .slice(0, COOKIES_MAX)
      .map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  const attributes = (seconds: number): string =>
    `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const make = (purpose: string, session: string, ms: number): string =>
    seal(key, JSON.stringify({ session, until: clock.now().getTime() + ms }), purpose);
  const read = (purpose: string, sealed: string): string | undefined => {
    const text = unseal(key, sealed, purpose);
    if (text === undefined) return undefined;
    const { session, until } = JSON.parse(text) as { session: string; until: number };
    return until > clock.now().getTime() ? session : undefined;
  };
  return {
    beginVisit: () => {
      const proof = randomBase32(PROOF_LENGTH);
      return { visit: sha256(proof), setCookie: `${visitName}=${proof}; ${attributes(TICKET_MS / 1000)}` };
    },
    ticketOf: ({ id, visit }, session) => make(`ticket ${id} ${visit}`, session, TICKET_MS),
    redeem: async (id, ticket, cookies = "") => {
      const session = valuesOf(cookies, visitName)
        .map((proof) => read(`ticket ${id} ${sha256(proof)}`, ticket))
        .find((found) => found !== undefined);
      if (session === undefined) return undefined;
      const [uses] = await counters.count([{ key: `editor-ticket:${sha256(ticket)}`, by: 1, lifeMs: 2 * TICKET_MS }]);
      if (uses !== 1) return undefined;
      const value = make(`cookie ${id}`, session, COOKIE_SECONDS * 1000);
      return `${name}=${value}; ${attributes(COOKIE_SECONDS)}`;
    },
    // Another workspace can set a cookie with this name for all of them, which does not open this one.
    sessionOf: (id, cookies = "") =>
      valuesOf(cookies, name)
        .map((value) => read(`cookie ${id}`, value))
        .find((session) => session !== undefined),
    withoutOwn: (cookies = "") => {
      const kept = cookies.split(";").filter((pair) => pair.trim() !== "" && !isNamed(pair));
      return kept.length === 0 ? undefined : kept.join(";").trim();
    },
    isOwn: isNamed,
  };
}
