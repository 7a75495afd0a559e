import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { ChatRequest } from "../../server/cloud/ai/ledger/chat-request";
import { createChatLedger } from "../../server/cloud/ai/ledger/create-chat-ledger";
import { sha256 } from "../../server/kernel/secrets";
import type { Mode, Scope } from "../../server/operation/actor";
import type { AdsCtx } from "./ads-ctx";
import { type TestApp, testApp } from "./app";
import { manage, platformKey } from "./calls";
import { chatUpstream } from "./chat-upstream";

const SCOPES: Scope[] = ["gateway:read", "gateway:write"];

/** svc with an upstream whose answers a test scripts: the model `gpt-double` costs 2,500 and 10,000 nanos per token. */
export async function chatScene() {
  const upstream = await chatUpstream();
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-chat-"));
  const models = [{ name: "gpt-double", upstream_name: "double-1", input_price: "2.50", output_price: "10" }];
  const file = path.join(dir, "upstreams.json");
  await writeFile(file, JSON.stringify({ upstreams: [{ id: "main", base_url: upstream.url, models }] }));
  const test = await testApp({ env: { CHAT_UPSTREAMS: file } });
  const stop = async () => {
    await test.stop();
    await upstream.close();
    await rm(dir, { recursive: true, force: true });
  };
  /** Calls with a new key of a project of its own. */
  const caller = async (ctx: AdsCtx, { scopes = SCOPES, mode = "live" }: { scopes?: Scope[]; mode?: Mode } = {}) => {
    const key = await platformKey(ctx, { scopes, mode });
    const call = async <T>(method: string, at: string, body?: object) => {
      const response = await manage(test, `/v1/${at}`, { key, method, ...(body && { body }) });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: (text && parsed(text)) as T };
    };
    const chat = <T = ChatAnswer>(content: string, fields: object = {}) =>
      call<T>("POST", "chat/completions", {
        model: mode === "live" ? "gpt-double" : "svc-echo",
        messages: [{ role: "user", content }],
        max_tokens: 50,
        ...fields,
      });
    const log = async (query = "") =>
      (await call<{ data: ChatRequest[] }>("GET", `gateway/requests?${query}`)).body.data;
    return { key, call, chat, log };
  };
  return { test, upstream, file, caller, stop };
}

/** Writes a finished request of a key into the log, without an upstream; returns its id. */
export async function loggedChat({ app, engines: { db, sql }, clock }: TestApp, key: string): Promise<string> {
  const { encryptionKey } = app.cloud;
  const ledger = createChatLedger({ sql, clock, log: pino({ level: "silent" }), encryptionKey });
  const { id: keyId, tenantId, projectId, mode } = await db.apiKey.findUniqueOrThrow({ where: { hash: sha256(key) } });
  const entry = await ledger.begin({
    tenantId,
    projectId,
    mode,
    keyId,
    requestId: "req_1",
    endpoint: "chat",
    model: "m",
    isStream: false,
    price: { inputNanos: 1, outputNanos: 1 },
    promptTokens: 1,
    completionTokensMax: 0,
  });
  await ledger.finish(entry, {
    status: "succeeded",
    httpStatus: 200,
    upstream: "u",
    tries: 1,
    isCached: false,
    isSimulated: false,
    usage: undefined,
    firstByteMs: 1,
    totalMs: 1,
    errorCode: undefined,
  });
  await ledger.stop();
  return entry.id;
}

export interface ChatAnswer {
  choices: { message: { content: string } }[];
  svc_offers?: { id: string; click_url: string; mentioned: boolean }[];
  error?: { message: string; type: string; code: string; param: string | null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
