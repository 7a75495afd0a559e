import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../../kernel/clock";
import { relayedJson, relayedText } from "../../../kernel/relayed-json";
import { keyedHash, seal, unseal } from "../../../kernel/secrets";
import type { AdmittedCall, Completion, FinalResponse, PromptStage, ResponseStage } from "../gateway/chat-stages";
import { canonicalJson } from "./canonical-json";
import { type CacheKey, readCached, storeCached } from "./chat-cache.sql";

const SECONDS_DEFAULT = 3600;
/** Of one answer, sealed. */
const VALUE_BYTES_MAX = 512 * 1024;
/** Of one project and mode. */
const PROJECT_BYTES_MAX = 32 * 1024 * 1024;
/** What a row needs beside its value; it bounds the number of small answers. */
const ROW_BYTES = 512;
const CACHEABLE_ENDS = new Set(["stop", "length", "tool_calls", "function_call"]);

export interface CacheParts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "warn">;
  encryptionKey: Buffer;
  projectBytesMax?: number;
}

interface CacheQuery extends CacheKey {
  seconds: number;
}

/**
 * An exact cache of complete answers, in Postgres for all processes: opt-in by `svc_cache` of the request or by the
 * project's settings, per project and mode. The key is a keyed hash of the request without the fields about streams, so
 * that a stream and a whole answer share it; values are sealed. A failure of the cache never fails a request.
 */
export function createCacheStages(parts: CacheParts): { prompt: PromptStage; answer: ResponseStage } {
  const { sql, clock, log, encryptionKey, projectBytesMax = PROJECT_BYTES_MAX } = parts;
  const wantedBy = new WeakMap<AdmittedCall, CacheQuery>();
  const prepare = async (call: AdmittedCall) => {
    const wanted = takeWanted(call, encryptionKey);
    if (!wanted) return undefined;
    wantedBy.set(call, wanted);
    try {
      const sealed = await readCached(sql, wanted, clock.now());
      const text = sealed === undefined ? undefined : unseal(encryptionKey, sealed, contextOf(wanted));
      return text === undefined ? undefined : { completion: relayedJson(text) as Completion };
    } catch (err) {
      log.warn({ err }, "cannot read the cache of chat answers");
      return undefined;
    }
  };
  const see = async (call: AdmittedCall, answer: FinalResponse) => {
    const wanted = wantedBy.get(call);
    if (!wanted || !isCacheable(answer)) return;
    const value = seal(encryptionKey, relayedText(answer.completion), contextOf(wanted));
    const bytes = value.length + ROW_BYTES;
    if (bytes > VALUE_BYTES_MAX) return;
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + wanted.seconds * 1000);
    await storeCached(sql, { ...wanted, value, bytes, now, expiresAt }, projectBytesMax);
  };
  return { prompt: { name: "cache", prepare }, answer: { name: "cache", see } };
}

const contextOf = ({ projectId, mode, key }: CacheKey): string => `chat_cache:${projectId}:${mode}:${key}`;

const isCacheable = ({ isCached, isComplete, completion: { choices } }: FinalResponse): boolean =>
  !isCached &&
  isComplete &&
  choices.length > 0 &&
  choices.every(({ finish_reason: end }) => CACHEABLE_ENDS.has(end ?? ""));

/** Whether and for how long the answer may come from the cache; removes `svc_cache` from the body. */
function takeWanted(call: AdmittedCall, encryptionKey: Buffer): CacheQuery | undefined {
  const { svc_cache: asked, ...body } = call.body;
  if (asked !== undefined) call.body = body as AdmittedCall["body"];
  const seconds = secondsOf(asked, call.entry.settings.cacheSeconds);
  if (seconds === 0 || call.hasOwnPrompt) return undefined;
  const { stream: _stream, stream_options: _options, ...asking } = body;
  const { projectId, mode } = call.payer;
  return { projectId, mode, key: keyedHash(encryptionKey, `${projectId}:${mode}:${canonicalJson(asking)}`), seconds };
}

function secondsOf(asked: unknown, ofProject: number): number {
  if (asked === false) return 0;
  if (asked === true) return ofProject || SECONDS_DEFAULT;
  if (typeof asked === "object" && asked !== null && "seconds" in asked) return Number(asked.seconds);
  return ofProject;
}
