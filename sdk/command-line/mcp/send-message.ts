import { parseAsWritten } from "../../exact-json";
import { mediaTypeOf } from "../../media-type";
import { serverSentEvents } from "../../server-sent-events";
import { VERSION } from "../../version";
import { resolveConnection } from "../credentials";
import { NotLoggedIn } from "../errors";
import type { Io } from "../io";

/** A message of JSON-RPC that svc sent. */
export interface Message {
  id?: string | number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
  /** The message as it came, on one line; absent for what svc did not send. */
  json?: string;
}

/** Sends one message, as text, to the endpoint for agents; yields what svc answers, also while the call still runs. */
export type Send = (text: string, headers?: Record<string, string>) => AsyncGenerator<Message>;

export interface SenderFlags {
  "base-url"?: string;
  /** Names of toolsets, separated by commas. */
  toolsets?: string;
  "read-only"?: boolean;
}

/**
 * Sends to the address of the endpoint, with a query such as `?schemas=full`.
 * @throws NotLoggedIn without a key.
 */
export function sender(flags: SenderFlags, { env, fetch: given }: Io, query = ""): Send {
  const { baseUrl, key } = resolveConnection(env, flags["base-url"]);
  if (!key) throw new NotLoggedIn("You are not logged in: run svc login, or set SVC_API_KEY to a platform key.");
  const send = given ?? fetch;
  return async function* (text, headers = {}) {
    const response = await send(`${baseUrl}/v1/mcp${query}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${key}`,
        "user-agent": `svc-cli/${VERSION}`,
        ...(flags.toolsets !== undefined && { "x-svc-toolsets": flags.toolsets }),
        ...(flags["read-only"] && { "x-svc-readonly": "true" }),
        ...headers,
      },
      body: text,
    });
    if (mediaTypeOf(response) === "text/event-stream" && response.body) {
      for await (const data of serverSentEvents(response.body)) yield received(data);
      return;
    }
    const body = await response.text();
    if (body !== "") yield messageOf(body, response.status);
  };
}

/** Line breaks are only between the parts of JSON, never within one. */
const received = (json: string): Message => ({
  ...(parseAsWritten(json) as Message),
  json: json.replace(/[\r\n]+/g, " "),
});

/** A proxy in between may answer with something else. */
function messageOf(body: string, status: number): Message {
  try {
    const message = received(body) as Message & { error?: { message?: string } };
    if (message.result !== undefined || typeof message.error?.code === "number") return message;
    return failed(message.error?.message ?? `svc responded ${status}.`);
  } catch {
    return failed(`svc responded ${status} without JSON.`);
  }
}

const failed = (text: string): Message => ({ id: null, error: { code: -32_000, message: text } });
