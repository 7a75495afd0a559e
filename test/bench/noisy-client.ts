import { setTimeout as sleep } from "node:timers/promises";

/** How often each answer came. */
export type Tally = Record<string, number>;

export interface Sent {
  method?: string;
  /** As JSON, with POST. */
  body?: unknown;
  /** As it is, with POST. */
  raw?: Uint8Array<ArrayBuffer> | string;
  headers?: Record<string, string>;
  /** The client leaves after so long. */
  leavesAfterMs?: number;
}

/** The fields of responses that the bench reads. */
export interface Body {
  id?: string;
  rid?: string;
  status?: string;
  url?: string | null;
  endpoints?: { url: string }[];
  secrets?: { ingest_token: string };
  error?: { code: string; details?: { reason?: string } };
}

/** A refused client waits so long. */
const AFTER_REFUSAL_MS = 250;

interface HostileClientParts {
  url: string;
  key: string;
  /** Of the client, as svc sees it. */
  address: string;
  tally: Tally;
  signal: AbortSignal;
}

/** One key of a hostile tenant; every answer is counted. */
export class HostileClient {
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
  /** As a proxy of svc names the client and its key. */
  readonly identity: Readonly<Record<string, string>>;
  readonly #tally: Tally;

  constructor({ url, key, address, tally, signal }: HostileClientParts) {
    this.url = url;
    this.key = key;
    this.signal = signal;
    this.identity = { authorization: `Bearer ${key}`, "x-forwarded-for": address };
    this.#tally = tally;
  }

  count(answer: string): void {
    this.#tally[answer] = (this.#tally[answer] ?? 0) + 1;
  }

  /** Resolves with the status, 0 if there was none, and the response, read if it was JSON. */
  async call(path: string, { method, body, raw, headers = {}, leavesAfterMs }: Sent = {}) {
    const content = raw ?? (body === undefined ? null : JSON.stringify(body));
    const left = new AbortController();
    const leave = () => left.abort();
    const timer = leavesAfterMs === undefined ? undefined : setTimeout(leave, leavesAfterMs);
    this.signal.addEventListener("abort", leave);
    try {
      const response = await fetch(new URL(path, this.url), {
        method: method ?? (content === null ? "GET" : "POST"),
        headers: { "content-type": "application/json", ...this.identity, ...headers },
        body: content,
        signal: left.signal,
      });
      const text = await response.text();
      const parsed = parsedOf(text);
      this.count([response.status, parsed.error?.code, parsed.error?.details?.reason].filter(Boolean).join(" "));
      if (response.status === 429) await this.wait(AFTER_REFUSAL_MS);
      return { status: response.status, body: parsed, text };
    } catch (cause) {
      if (this.signal.aborted) this.count("open at the end");
      else this.count(cause instanceof DOMException ? "left by the client" : "connection ended");
      return { status: 0, body: {} as Body, text: "" };
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener("abort", leave);
    }
  }

  wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** `turn` over and over, `atOnce` of them beside each other, until the bench ends it. */
  async loop(atOnce: number, turn: (n: number) => Promise<unknown>): Promise<void> {
    let n = 0;
    const one = async () => {
      while (!this.signal.aborted) await turn(n++);
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }
}

function parsedOf(text: string): Body {
  try {
    return (JSON.parse(text) ?? {}) as Body;
  } catch {
    return {};
  }
}
