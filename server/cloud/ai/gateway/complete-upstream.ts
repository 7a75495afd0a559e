import { relayedJson, relayedText } from "../../../kernel/relayed-json";
import { Reply } from "../../../operation/reply";
import type { Redactor } from "../../data/secrets/redactor";
import type { Admitted } from "./admit";
import { askUpstreams } from "./ask-upstreams";
import type { Completion } from "./chat-stages";
import { writtenIn } from "./completion-parts";
import { countedUsage, finishChat } from "./finish-chat";
import type { GatewayParts } from "./gateway-parts";
import { requestOf, shownFrom } from "./operator-account";
import { type Post, postUpstream } from "./post-upstream";
import { type RedactedJson, redactedJson } from "./redacted-json";
import { reportedUsage } from "./reported-usage";
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
      });
      return { text: answer.text, completion: completionOf(answer.value) };
    },
  });
  run.began();
  await finishChat(parts, asked, {
    usage: reportedUsage(completion.usage) ?? (await countedUsage(asked, writtenIn(completion))),
    status: signal.aborted ? "cancelled" : "succeeded",
    completion,
    isComplete: true,
  });
  return new Reply(text, { "x-svc-upstream": run.upstream ?? "" });
}

interface PostJson extends Pick<Post, "path" | "signal" | "optional"> {
  /** Without the fields that are known to be refused. */
  body: (refused: ReadonlySet<string>) => object;
  tenantId: string;
}

/**
 * POSTs JSON to an upstream and reads the JSON that it answers, without its key; its numbers are as `relayedJson` reads
 * them. Rejects with an UpstreamFailure.
 */
export async function postJson(
  parts: Pick<GatewayParts, "connections" | "redactors" | "pseudonymKey" | "refusedFields">,
  candidate: Candidate,
  { body, tenantId, ...post }: PostJson,
): Promise<RedactedJson> {
  const { upstream } = candidate;
  const { reader, redactor } = await postUpstream(parts, candidate, {
    ...post,
    body: (refused) => relayedText(requestOf(parts, candidate, { tenantId, body: body(refused) })),
    accept: "application/json",
  });
  const text = (await reader.all(upstream.idleMs, ANSWER_BYTES_MAX)).toString("utf8");
  return shownJson(text, candidate, redactor);
}

/** What the client may see of the JSON of an upstream. Throws an UpstreamFailure for what is none. */
export function shownJson(text: string, { upstream }: Candidate, redactor: Redactor | undefined): RedactedJson {
  const came = parsed(text, redactor);
  const value = shownFrom(upstream, came.value);
  return value === came.value ? came : { text: relayedText(value), value };
}

function parsed(text: string, redactor: Redactor | undefined): RedactedJson {
  try {
    return redactor ? redactedJson(text, redactor) : { text, value: relayedJson(text) };
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
