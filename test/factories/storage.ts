import type { Bucket } from "../../server/cloud/data/buckets/bucket";
import type { Mode, Scope } from "../../server/operation/actor";
import type { AdsCtx } from "./ads-ctx";
import { makeTenant, type TestApp } from "./app";
import { manage, platformKey, raiseRate } from "./calls";

const SCOPES: Scope[] = ["storage:read", "storage:write", "audit:read"];

export interface StorageAnswer<T> {
  status: number;
  body: T & { error?: { code: string; message: string; param?: string; details?: Record<string, unknown> } };
}

/** Calls the storage API with one key: `path` is what comes after `/v1/storage`. */
export class StorageClient {
  readonly #test: TestApp;
  readonly key: string;

  constructor(test: TestApp, key: string) {
    this.#test = test;
    this.key = key;
  }

  /** With `body` a POST. */
  async call<T = Bucket>(
    path: string,
    { method, body }: { method?: string; body?: object } = {},
  ): Promise<StorageAnswer<T>> {
    const sent = { key: this.key, ...(method && { method }), ...(body && { body }) };
    const response = await manage(this.#test, `/v1/storage${path}`, sent);
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }

  async create(name: string, fields: object = {}): Promise<Bucket> {
    const { status, body } = await this.call<Bucket>("/buckets", { body: { name, ...fields } });
    if (status !== 201) throw new Error(`create returned ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Stores objects with the given keys, each with its key as the content. */
  async put(bucket: string, ...keys: string[]): Promise<void> {
    for (const key of keys) await this.putBytes(bucket, key, Buffer.from(key));
  }

  async putBytes(bucket: string, key: string, bytes: Buffer): Promise<void> {
    const { cloud } = this.#test.app;
    await cloud.objects.put(await this.#row(bucket), {
      key,
      contentType: "text/plain",
      headers: {},
      userMetadata: {},
      body: { stream: streamOf(bytes) },
    });
  }

  /** The content of an object. */
  async bytes(bucket: string, key: string): Promise<Buffer> {
    const { open } = await this.#test.app.cloud.objects.read(await this.#row(bucket), { key });
    const chunks: Uint8Array[] = [];
    for await (const chunk of open()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  #row = (name: string) => this.#test.app.cloud.db.bucket.findUniqueOrThrow({ where: { name } });
}

async function* streamOf(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** A tenant with a client for a key of a project of its own. */
export async function storageTenant(test: TestApp, { mode = "live" as Mode, scopes = SCOPES } = {}) {
  const ctx = await makeTenant(test);
  await raiseRate(test, ctx.tenantId);
  return { ctx, client: await storageClient(test, ctx, { mode, scopes }) };
}

/** A client for a new key, in a new project of the tenant. */
export const storageClient = async (
  test: TestApp,
  ctx: AdsCtx,
  { mode = "live" as Mode, scopes = SCOPES } = {},
): Promise<StorageClient> => new StorageClient(test, await platformKey(ctx, { mode, scopes }));
