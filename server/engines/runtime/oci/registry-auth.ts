import { z } from "zod";
import type { RegistryCredentials } from "../runtime";

/** What a registry asks for in `WWW-Authenticate`. */
export type Challenge =
  | { scheme: "basic" }
  /** The URL of the token server, with service and scope as its query. */
  | { scheme: "bearer"; url: string };

const HEADER_LENGTH_MAX = 4096;
const PARAMETER = /([a-z_]{1,20})="([^"]{0,2000})"/gi;
const Token = z.object({ token: z.string().min(1).optional(), access_token: z.string().min(1).optional() });

/** Parses the challenge of a 401 response; undefined for one that is not understood. */
export function parseChallenge(header: string | undefined, repository: string): Challenge | undefined {
  if (header === undefined || header.length > HEADER_LENGTH_MAX) return undefined;
  const scheme = header.split(" ", 1)[0]?.toLowerCase();
  if (scheme === "basic") return { scheme };
  const parameters = new Map([...header.matchAll(PARAMETER)].map(([, key = "", value = ""]) => [key, value]));
  const realm = parameters.get("realm");
  if (scheme !== "bearer" || realm === undefined || !URL.canParse(realm)) return undefined;
  const url = new URL(realm);
  const service = parameters.get("service");
  if (service !== undefined) url.searchParams.set("service", service);
  url.searchParams.set("scope", parameters.get("scope") ?? `repository:${repository}:pull`);
  return { scheme, url: url.href };
}

export const basicAuthorization = ({ username, password }: RegistryCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** The token of a token server's response; undefined if it has none. */
export function parseToken(body: string): string | undefined {
  try {
    const { token, access_token } = Token.parse(JSON.parse(body));
    return token ?? access_token;
  } catch {
    return undefined;
  }
}
