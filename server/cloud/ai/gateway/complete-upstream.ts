import { Reply } from "../../../operation/reply";
import type { Redactor } from "../../data/secrets/redactor";
import type { Admitted } from "./admit";
import { askUpstreams } from "./ask-upstreams";
import type { Completion } from "./chat-stages";
import { reportedUsage, writtenIn } from "./completion-parts";
import { countedUsage, finishChat } from "./finish-chat";
import type { GatewayParts } from "./gateway-parts";
import { requestOf, shownFrom } from "./operator-account";
import { postUpstream } from "./post-upstream";
import { redactedJson } from "./redacted-json";
import type { Candidate } from "./upstream";
import { UpstreamFailure } from "./upstream-failure";

/** Several answers with pictures. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

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
    candidates,
    signal,
    onTry: (candidate) => run.tried(candidate),
    ask: async (candidate) => {
      const answer = await postJson(parts, candidate, {
        path: "/chat/completions",
        body,
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

/** POSTs JSON to an upstream once and reads the JSON that it answers, without its key. Rejects with an UpstreamFailure. */
export async function postJson(
  parts: Pick<GatewayParts, "connections" | "redactors" | "pseudonymKey">,
  candidate: Candidate,
  { path, body, signal, tenantId }: { path: string; body: object; signal: AbortSignal; tenantId: string },
): Promise<{ text: string; value: unknown }> {
  const { upstream } = candidate;
  const sent = JSON.stringify(requestOf(parts, candidate, { tenantId, body }));
  const { reader, redactor } = await postUpstream(parts, candidate, {
    path,
    body: sent,
    accept: "application/json",
    signal,
  });
  const text = (await reader.all(upstream.idleMs, ANSWER_BYTES_MAX)).toString("utf8");
  const came = parsed(text, redactor);
  const value = shownFrom(upstream, came.value);
  return value === came.value ? came : { text: JSON.stringify(value), value };
}

function parsed(text: string, redactor: Redactor | undefined): { text: string; value: unknown } {
  try {
    return redactor ? redactedJson(text, redactor) : { text, value: JSON.parse(text) };
  } catch {
    throw new UpstreamFailure("the response is not JSON", { status: 502 });
  }
}

function completionOf(value: unknown): Completion {
  if (typeof value === "object" && value !== null && Array.isArray((value as Completion).choices)) {
    return value as Completion;
  }
  throw new UpstreamFailure("the response is no chat completion", { status: 502 });
}
