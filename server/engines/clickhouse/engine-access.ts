import { randomBytes } from "node:crypto";

/** The credentials with which svc, and no other program on this machine, uses the embedded engine. */
export interface EngineAccess {
  /** The password of the user `svc`. */
  password: string;
  /** A header of every request; browser pages cannot send it without a preflight. */
  token: string;
  /** A header value for which the engine returns `response`; it grants no access. */
  challenge: string;
  response: string;
}

export const USER = "svc";
export const TOKEN_HEADER = "x-svc-token";
export const CHALLENGE_HEADER = "x-svc-challenge";
const PROBE_TIMEOUT_MS = 2_000;

/** 256 random bits each, in characters that need no escaping in XML, URLs and headers. */
export function newAccess(): EngineAccess {
  const random = () => randomBytes(32).toString("hex");
  return { password: random(), token: random(), challenge: random(), response: random() };
}

/** A URL for `createClickHouseClient`; treat the whole URL as a secret. */
export const urlOf = (port: number, { password, token }: EngineAccess): string =>
  `http://${USER}:${password}@127.0.0.1:${port}/?http_header_${TOKEN_HEADER}=${token}`;

/** The Authorization header that the client derives from the URL. */
export const basicAuthorization = ({ password }: EngineAccess): string =>
  `Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`;

/**
 * Whether the server on a port is the engine with these credentials; undefined if none responds. The password and the
 * token are not sent, because the port may belong to another program.
 */
export async function isServedBy(
  port: number,
  { challenge, response }: Pick<EngineAccess, "challenge" | "response">,
): Promise<boolean | undefined> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/`, {
      headers: { [CHALLENGE_HEADER]: challenge },
      redirect: "manual",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return (await reply.text()) === response;
  } catch {
    return undefined;
  }
}
