import { hasRelayedBytes, relayedBytes, textOfRelayed } from "../../../kernel/relayed-bytes";
import { relayedJson, relayedText } from "../../../kernel/relayed-json";
import { type Reply, relayedReply } from "../../../operation/reply";
import type { Redactor } from "../../data/secrets/redactor";
import type { ChatUsage } from "../ledger/chat-ledger";
import type { Admitted } from "./admit";
import { askUpstreams } from "./ask-upstreams";
import type { Completion } from "./chat-stages";
import { CompletionParts, chunkOf, writtenIn } from "./completion-parts";
import { beginsEvents, dataOf, EventSplitter } from "./event-splitter";
import { countedUsage, finishChat } from "./finish-chat";
import type { GatewayParts } from "./gateway-parts";
import { requestOf, shownFrom } from "./operator-account";
import { type Post, postUpstream } from "./post-upstream";
import { type ParseJson, type RedactedJson, redactedJson } from "./redacted-json";
import { reportedUsage, usageIn } from "./reported-usage";
import type { Candidate } from "./upstream";
import { malformed } from "./upstream-failure";

/** Several answers with pictures. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export interface AskedUpstream extends Admitted {
  candidates: readonly Candidate[];
  signal: AbortSignal;
}

/** Asks the upstreams for a whole answer, which is passed on. */
export async function completeUpstream(parts: GatewayParts, asked: AskedUpstream): Promise<Reply> {
  const { call, run, signal, candidates } = asked;
  const { stream: _, stream_options: __, ...body } = call.body;
  const { text, completion } = await askUpstreams({
    circuits: parts.circuits,
    form: "whole",
    candidates,
    signal,
    onTry: (candidate) => run.tried(candidate),
    ask: async (candidate) => {
      const answer = await postJson(parts, candidate, {
        path: "/chat/completions",
        body: () => body,
        signal,
        tenantId: call.payer.tenantId,
        read: (text, redactor) =>
          beginsEvents(text) ? joinedEvents(text, candidate, redactor) : shownJson(text, candidate, { redactor }),
      });
      return { text: answer.text, completion: completionOf(answer.value) };
    },
  });
  run.began();
  await finishChat(parts, asked, {
    usage: reportedUsage(completion.usage) ?? (await countedUsage(asked, writtenIn(completion))),
    status: signal.aborted ? "cancelled" : "succeeded",
    completion,
    // A cache has only what is UTF-8.
    isComplete: !hasRelayedBytes(text),
  });
  return relayedReply(text, { "x-svc-upstream": run.upstream ?? "" });
}

interface PostJson extends Pick<Post, "path" | "signal" | "optional"> {
  /** Without the fields that are known to be refused. */
  body: (refused: ReadonlySet<string>) => object;
  tenantId: string;
  /** Reads the body of the response, without the key of the upstream. */
  read: (text: string, redactor: Redactor | undefined) => RedactedJson;
}

/** POSTs JSON to an upstream and reads what it answers. Rejects with an UpstreamFailure. */
export async function postJson(
  parts: Pick<GatewayParts, "connections" | "redactors" | "pseudonymKey" | "refusedFields">,
  candidate: Candidate,
  { body, tenantId, read, ...post }: PostJson,
): Promise<RedactedJson> {
  const { upstream } = candidate;
  const { reader, redactor } = await postUpstream(parts, candidate, {
    ...post,
    body: (refused) => relayedText(requestOf(parts, candidate, { tenantId, body: body(refused) })),
    accept: "application/json",
  });
  const bytes = await reader.all(upstream.idleMs, ANSWER_BYTES_MAX);
  return read(bodyText(bytes), redactor);
}

/** The text of a body, as `textOfRelayed`. Throws an UpstreamFailure for what is no text. */
export function bodyText(bytes: Buffer): string {
  try {
    return textOfRelayed(bytes);
  } catch {
    throw malformed("the response is not UTF-8");
  }
}

/** The answer in the events of a stream, of an upstream that always streams. */
function joinedEvents(text: string, candidate: Candidate, redactor: Redactor | undefined): RedactedJson {
  const { upstream, model } = candidate;
  const splitter = new EventSplitter();
  const written = new CompletionParts(ANSWER_BYTES_MAX);
  let usage: ChatUsage | undefined;
  for (const event of [...splitter.push(relayedBytes(text)), splitter.rest]) {
    const data = dataOf(event);
    if (data === "[DONE]") break;
    if (!data) continue;
    const chunk = chunkOf(parsed(data, { redactor: undefined }).value);
    if (!chunk || chunk.error) throw malformed("the response has an event that is no part of an answer");
    usage = usageIn(chunk) ?? usage;
    written.add(shownFrom(upstream, chunk));
  }
  if (!written.isFinished || !written.isUnderstood) throw malformed("the response is a stream and no whole answer");
  const joined = written.completion(model.upstreamName, usage ?? NO_USAGE);
  return shownJson(relayedText({ ...joined, ...(!usage && { usage: null }) }), candidate, { redactor });
}

const NO_USAGE: ChatUsage = { promptTokens: 0, completionTokens: 0, isEstimated: true };

interface Reading {
  redactor: Redactor | undefined;
  parse?: ParseJson;
}

/** What the client may see of the JSON of an upstream. Throws an UpstreamFailure for what is none. */
export function shownJson(text: string, { upstream }: Candidate, reading: Reading): RedactedJson {
  const came = parsed(text, reading);
  const value = shownFrom(upstream, came.value);
  return value === came.value ? came : { text: relayedText(value), value };
}

function parsed(came: string, { redactor, parse = relayedJson }: Reading): RedactedJson {
  const text = came.replace(/^\ufeff/, "");
  try {
    return redactor ? redactedJson(text, redactor, parse) : { text, value: parse(text) };
  } catch {
    throw malformed("the response is not JSON");
  }
}

/** Throws an UpstreamFailure for what is no chat completion. */
export function completionOf(value: unknown): Completion {
  if (typeof value === "object" && value !== null && Array.isArray((value as Completion).choices)) {
    return value as Completion;
  }
  throw malformed("the response is no chat completion");
}
