import type { Message } from "../../server/cloud/data/queues/message";
import type { Queue } from "../../server/cloud/data/queues/queue";
import type { Mode, Scope } from "../../server/operation/actor";
import type { AdsCtx } from "./ads-ctx";
import { makeTenant, type TestApp } from "./app";
import { platformKey, raiseRate, type Sent } from "./calls";

const BASE_URL = "http://localhost:3000";
const SCOPES: Scope[] = ["queues:read", "queues:write", "edge:write", "audit:read"];

export interface HttpResult<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T & { error?: { code: string; message: string; param?: string; details?: { reason?: string } } };
}

export interface QueueCall extends Pick<Sent, "method" | "body" | "raw" | "headers"> {
  signal?: AbortSignal;
}

/** Calls the queues of one key: `path` is what comes after `/v1`. */
export class QueueClient {
  readonly #test: TestApp;
  readonly #key: string;

  constructor(test: TestApp, key: string) {
    this.#test = test;
    this.#key = key;
  }

  /** With `body` or `raw` a POST. */
  async call<T = { id: string }>(
    path: string,
    { body, raw, headers = {}, signal, ...sent }: QueueCall = {},
  ): Promise<HttpResult<T>> {
    const content = raw ?? (body === undefined ? null : JSON.stringify(body));
    const request = new Request(`${BASE_URL}/v1${path}`, {
      method: sent.method ?? (content === null ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(content === null ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: content,
      ...(signal && { signal }),
    });
    const response = await this.#test.app.platform.fetch(request, { address: "127.0.0.1" });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  }

  async create(name: string, fields: object = {}): Promise<Queue> {
    const { status, body } = await this.call<Queue>("/queues", { body: { name, ...fields } });
    if (status !== 201) throw new Error(`create returned ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Sends messages as one batch, and returns their ids. */
  async send(queue: string, ...messages: object[]): Promise<string[]> {
    const { body } = await this.call<{ data: { id: string }[] }>(`/queues/${queue}/send`, { body: { messages } });
    return body.data.map(({ id }) => id);
  }

  async receive(queue: string, query = "max_messages=100"): Promise<Message[]> {
    return (await this.call<{ data: Message[] }>(`/queues/${queue}/receive?${query}`)).body.data;
  }

  /** `acknowledge`, `extend` or `return` with one receipt. */
  changeLeases(queue: string, verb: string, fields: object): Promise<HttpResult> {
    return this.call(`/queues/${queue}/${verb}`, { body: fields });
  }
}

/** A tenant with a client for a key of a project of its own. */
export async function queueTenant(test: TestApp, { mode = "live" }: { mode?: Mode } = {}) {
  const ctx = await makeTenant(test);
  await raiseRate(test, ctx.tenantId);
  return { ctx, client: await queueClient(test, ctx, mode) };
}

/** A client for a new key, in a new project of the tenant. */
export const queueClient = async (test: TestApp, ctx: AdsCtx, mode: Mode = "live"): Promise<QueueClient> =>
  new QueueClient(test, await platformKey(ctx, { mode, scopes: SCOPES }));
