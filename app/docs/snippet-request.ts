import type { KeyKind } from "./runner";

/** One call of an API that a page shows and can make. `<name>` in path and body stands for an id of an earlier answer. */
export interface SnippetRequest {
  method: "GET" | "POST";
  path: string;
  key: KeyKind;
  body?: Readonly<Record<string, unknown>>;
  /** A UUID: the call may be repeated. */
  idempotencyKey?: string;
}

const PLACEHOLDER = /<(\w+)>/g;

/** The names of ids that nothing has brought yet. */
export function missingIn(request: SnippetRequest, found: Readonly<Record<string, string>>): string[] {
  const text = request.path + JSON.stringify(request.body ?? {});
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name).filter((name) => !(name in found));
}

/** The request with the ids that are known. */
export function filledIn(request: SnippetRequest, found: Readonly<Record<string, string>>): SnippetRequest {
  const fill = (text: string) => text.replaceAll(PLACEHOLDER, (all, name: string) => found[name] ?? all);
  const body = request.body && (JSON.parse(fill(JSON.stringify(request.body))) as Record<string, unknown>);
  return { ...request, path: fill(request.path), ...(body ? { body } : {}) };
}

export const KEY_VARIABLES = { platform: "SVC_KEY", channel: "SVC_CHANNEL_KEY" } as const;

/** The same call for a shell, where the key stands in a variable. */
export function curlOf({ method, path, key, body, idempotencyKey }: SnippetRequest, publicUrl: string): string {
  const lines = [
    `curl -s "${publicUrl}${path}"`,
    ...(key === "platform" ? ['-H "Authorization: Bearer $SVC_KEY"'] : []),
    ...(key === "channel" ? ['-H "X-SVC-API-Key: $SVC_CHANNEL_KEY"'] : []),
    ...(idempotencyKey ? [`-H "Idempotency-Key: ${idempotencyKey}"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
  ];
  if (method !== "GET" && !body) lines.push(`-X ${method}`);
  return lines.join(" \\\n  ");
}

/** What the browser sends. */
export function fetchOf(
  { method, key, body, idempotencyKey }: SnippetRequest,
  keys: { platform: string; channel: string },
) {
  const headers: Record<string, string> = {
    ...(key === "platform" ? { authorization: `Bearer ${keys.platform}` } : {}),
    ...(key === "channel" ? { "x-svc-api-key": keys.channel } : {}),
    ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}),
    ...(body ? { "content-type": "application/json" } : {}),
  };
  // A session of the dashboard must not answer for a missing key.
  return {
    method,
    headers,
    credentials: "omit",
    ...(body ? { body: JSON.stringify(body) } : {}),
  } satisfies RequestInit;
}
