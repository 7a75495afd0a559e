import { describe, expect, it } from "vitest";
import { ServiceError } from "../../kernel/errors";
import { respondToBatch } from "./batch";
import type { Exchange } from "./exchange";
import { KeptLists } from "./kept-lists";

const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };

const exchangeOf = (signal?: AbortSignal, headers: Record<string, string> = {}, viewKey = ""): Exchange => ({
  caller: { actor: { kind: "key", scopes: new Set(["pods:read"]) } as never },
  view: { schemas: "brief", toolsets: undefined, isReadOnly: false, key: viewKey },
  meta: { requestId: "req_1" } as never,
  request: new Request("http://localhost/v1/mcp", {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    ...(signal && { signal }),
  }),
  limits: [],
});

const messages = (count: number, method = "ping") =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method }));

const resultOf = (message: unknown, result: unknown = {}): Response =>
  Response.json({ jsonrpc: "2.0", id: (message as { id: number }).id, result });

/** As the protocol's library responds to clients of a revision before 2026. */
const streamOf = (...sent: unknown[]): Response =>
  new Response(sent.map((one) => `event: message\ndata: ${JSON.stringify(one)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

type Rpc = { id: number; result?: unknown; error?: { message: string; data: Record<string, unknown> } };

describe("a batch", () => {
  it("lets requests of others through between any two of its messages", async () => {
    let others = 0;
    const between: number[] = [];
    const other = () => {
      others++;
      if (between.length < 5) setImmediate(other);
    };
    setImmediate(other);
    await respondToBatch(exchangeOf(), messages(5), async (_, message) => {
      between.push(others);
      return resultOf(message);
    });
    expect(new Set(between).size).toBe(5);
  });

  it("has a response of bounded size: what would begin beyond it is refused and not run", async () => {
    let runs = 0;
    const response = await respondToBatch(exchangeOf(), messages(20), async (_, message) => {
      runs++;
      return resultOf(message, "x".repeat(1024 * 1024));
    });
    const all = (await response.json()) as Rpc[];
    expect(runs).toBe(4);
    expect(all.map(({ id }) => id)).toEqual(messages(20).map(({ id }) => id));
    expect(all.at(-1)?.error?.data).toMatchObject({ code: "payload_too_large", details: { reason: "batch_bytes" } });
  });

  it("goes on after a message that is refused, and ends when its client has gone", async () => {
    const gone = new AbortController();
    let runs = 0;
    const response = await respondToBatch(exchangeOf(gone.signal), messages(9), async (_, message) => {
      runs++;
      if (runs === 2) throw new ServiceError("rate_limited", "Too many.");
      if (runs === 4) gone.abort();
      return streamOf({ method: "notifications/progress" }, await resultOf(message).json());
    });
    const all = (await response.json()) as Rpc[];
    expect(runs).toBe(4);
    expect(all.map(({ error }) => error?.data.code)).toEqual([undefined, "rate_limited", undefined, undefined]);
  });

  it("is refused as a whole when its first message is", async () => {
    const refused = respondToBatch(exchangeOf(), messages(3), () => {
      throw new ServiceError("rate_limited", "Too many.");
    });
    await expect(refused).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("a list", () => {
  it("is made once for all that ask for it, at the same time, as a stream, or with other `_meta`", async () => {
    const lists = new KeptLists();
    let made = 0;
    const ask = async (message: object, headers = {}) => {
      const response = await lists.through(exchangeOf(undefined, headers), message, async () => {
        made++;
        return streamOf({ jsonrpc: "2.0", id: (message as Rpc).id, result: { tools: ["a"] } });
      });
      return (await response.json()) as Rpc;
    };
    const asked = messages(20, "tools/list").map((one, i) => ({ ...one, params: { _meta: { n: i } } }));
    const all = await Promise.all(asked.map((one, i) => ask(one, { "mcp-name": `${i}`, "mcp-session-id": `${i}` })));
    expect(made).toBe(1);
    expect(all).toEqual(asked.map(({ id }) => ({ jsonrpc: "2.0", id, result: { tools: ["a"] } })));
  });

  it("is made for each revision of the protocol", async () => {
    const lists = new KeptLists();
    let made = 0;
    for (const version of ["2025-03-26", "2025-06-18", "2025-06-18"]) {
      const exchange = exchangeOf(undefined, { "mcp-protocol-version": version });
      await lists.through(exchange, messages(1, "tools/list")[0], async () => {
        made++;
        return streamOf({ jsonrpc: "2.0", id: 0, result: {} });
      });
    }
    expect(made).toBe(2);
  });

  it("is made for each view of the tools", async () => {
    const lists = new KeptLists();
    let made = 0;
    for (const viewKey of ["brief", "full", "full"]) {
      await lists.through(exchangeOf(undefined, {}, viewKey), messages(1, "tools/list")[0], async () => {
        made++;
        return streamOf({ jsonrpc: "2.0", id: 0, result: {} });
      });
    }
    expect(made).toBe(2);
  });
});
