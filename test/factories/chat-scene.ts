import { pino } from "pino";
import type { ChatBody, ChatStages } from "../../server/cloud/ai/gateway/chat-stages";
import { createGateway } from "../../server/cloud/ai/gateway/create-gateway";
import type { OperatorUpstream } from "../../server/cloud/ai/gateway/upstream";
import type { ChatLedger, ChatOutcome, ChatStart, ChatUsage } from "../../server/cloud/ai/ledger/chat-ledger";
import { ManualClock } from "../../server/kernel/clock";
import type { Mode, Scope } from "../../server/operation/actor";
import type { Reply } from "../../server/operation/reply";
import { TEST_REQUEST } from "./app";
import { type ChatUpstream, chatUpstream } from "./chat-upstream";

/** What a ledger was told, in order. */
export interface RecordingLedger extends ChatLedger {
  begun: ChatStart[];
  progressed: ChatUsage[];
  finished: ChatOutcome[];
}

export function recordingLedger(settings: Partial<{ storesBodies: boolean; refusal: Error }> = {}): RecordingLedger {
  const { storesBodies = false, refusal } = settings;
  const [begun, progressed, finished]: [ChatStart[], ChatUsage[], ChatOutcome[]] = [[], [], []];
  return {
    begun,
    progressed,
    finished,
    begin: (start) => {
      if (refusal) return Promise.reject(refusal);
      begun.push(start);
      const id = `chr_${begun.length}`;
      return Promise.resolve({ id, storesBodies, settings: { storesBodies, cacheSeconds: 0, offers: undefined } });
    },
    answering: () => Promise.resolve(),
    progress: (_, usage) => void progressed.push(usage),
    finish: (_, outcome) => {
      finished.push(outcome);
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  };
}

export interface ChatSceneOptions {
  /** How many upstreams, `a`, `b` …, each with a double of its own and a lower priority than the one before. */
  upstreams?: number;
  settings?: Partial<OperatorUpstream>;
  stages?: Partial<ChatStages>;
  ledger?: RecordingLedger;
}

export const KEY = "sk-very-secret-key";
const PAYER = { tenantId: "ten_1", projectId: "prj_1", keyId: "key_1" };
const ACTOR = { kind: "key", ...PAYER, scopes: new Set<Scope>() } as const;

/** A gateway without a database, before doubles of upstreams with the model `m`. */
export async function chatScene({ upstreams: count = 1, settings, stages, ledger }: ChatSceneOptions = {}) {
  const doubles: ChatUpstream[] = [];
  for (let i = 0; i < count; i++) doubles.push(await chatUpstream());
  const operators = doubles.map(({ url }, i): OperatorUpstream => {
    const model = { name: "m", upstreamName: "double-1", kind: "chat" as const, contextTokens: undefined };
    return {
      id: "abcdefgh".charAt(i),
      owner: "operator",
      baseUrl: url,
      apiKey: KEY,
      weight: 1,
      priority: i,
      models: [{ ...model, price: { inputNanos: 2500, outputNanos: 10_000 } }],
      firstByteMs: 5000,
      idleMs: 5000,
      ...settings,
    };
  });
  const recorded = ledger ?? recordingLedger();
  const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  const gateway = createGateway({
    clock,
    log: pino({ level: "silent" }),
    ledger: recorded,
    operators,
    ownOf: () => [],
    pseudonymKey: Buffer.alloc(32, 1),
    policy: { allowsLoopback: true, ownHosts: [] },
    ...(stages && { stages }),
  });
  const ask = (
    body: Partial<ChatBody> = {},
    { mode = "live", signal, tenantId = PAYER.tenantId }: { mode?: Mode; signal?: AbortSignal; tenantId?: string } = {},
  ) =>
    gateway.complete(
      { model: "m", messages: [{ role: "user", content: "Hello there, Ada." }], ...body },
      {
        actor: { ...ACTOR, mode },
        request: TEST_REQUEST,
        payer: { ...PAYER, tenantId, mode },
        signal: signal ?? new AbortController().signal,
      },
    );
  return {
    gateway,
    doubles,
    clock,
    ask,
    ledger: recorded,
    close: async () => {
      gateway.close();
      await Promise.all(doubles.map((double) => double.close()));
    },
  };
}

/** The events of a stream as parsed JSON, and `[DONE]` as text. */
export async function eventsIn(reply: Reply): Promise<unknown[]> {
  const text = typeof reply.body === "string" ? reply.body : await new Response(reply.body).text();
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice(6))
    .map((data) => (data === "[DONE]" ? data : JSON.parse(data)));
}

interface Event {
  choices?: { delta?: { content?: string } }[];
}

/** The text of a stream's first choice. */
export const textIn = (events: readonly unknown[]): string =>
  (events as Event[]).map(({ choices }) => choices?.[0]?.delta?.content ?? "").join("");
