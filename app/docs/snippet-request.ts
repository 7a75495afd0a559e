/** The key that a call uses; `none` for public endpoints. */
export type KeyKind = "platform" | "channel" | "none";

/** An API call that a page shows and can run. `<name>` in path and body is a placeholder for an ID of an earlier response. */
export interface SnippetRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  key: KeyKind;
  body?: Readonly<Record<string, unknown>>;
  /** A UUID that makes the call safe to repeat. */
  idempotencyKey?: string;
}

const PLACEHOLDER = /<(\w+)>/g;

/** The names of placeholders without a value. */
export function missingIds(request: SnippetRequest, found: Readonly<Record<string, string>>): string[] {
  const text = request.path + JSON.stringify(request.body ?? {});
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name).filter((name) => !(name in found));
}

/** The request with known IDs in place of their placeholders. */
export function fillPlaceholders(request: SnippetRequest, found: Readonly<Record<string, string>>): SnippetRequest {
  const fill = (text: string) => text.replaceAll(PLACEHOLDER, (all, name: string) => found[name] ?? all);
  const body = request.body && (JSON.parse(fill(JSON.stringify(request.body))) as Record<string, unknown>);
  return { ...request, path: fill(request.path), ...(body ? { body } : {}) };
}

export const KEY_VARIABLES = { platform: "SVC_KEY", channel: "SVC_CHANNEL_KEY" } as const;

/** The call as options of `fetch`. */
export function toFetchInit(
  { method, key, body, idempotencyKey }: SnippetRequest,
  keys: { platform: string; channel: string },
) {
  const headers: Record<string, string> = {
    ...(key === "platform" ? { authorization: `Bearer ${keys.platform}` } : {}),
    ...(key === "channel" ? { "x-svc-api-key": keys.channel } : {}),
    ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}),
    ...(body ? { "content-type": "application/json" } : {}),
  };
  // The dashboard's session must not authenticate a call without a key.
  return {
    method,
    headers,
    credentials: "omit",
    ...(body ? { body: JSON.stringify(body) } : {}),
  } satisfies RequestInit;
}
