import { type Reply, relayedReply } from "../../../operation/reply";
import type { ChatUsage } from "../ledger/chat-ledger";
import { type Admitted, admit } from "./admit";
import { askUpstreams } from "./ask-upstreams";
import { postJson, shownJson } from "./complete-upstream";
import { countTokens } from "./count-tokens";
import { type EmbeddingAsk, echoEmbedding, inputsOf } from "./echo-embedding";
import { inFormat } from "./embedding-format";
import { type ChatOrigin, clientGone, type GatewayParts } from "./gateway-parts";
import { reportedUsage } from "./reported-usage";
import type { Candidate } from "./upstream";

/** Returns the vectors of texts, from an upstream or simulated. */
export async function embed(parts: GatewayParts, ask: EmbeddingAsk, origin: ChatOrigin): Promise<Reply> {
  const messages = inputsOf(ask.input).map((input) => ({
    role: "user",
    // A token has about four bytes, by which its price is estimated.
    content: typeof input === "string" ? input : "0000".repeat(input.length),
  }));
  const admitted = await admit(parts, { endpoint: "embeddings", body: { model: ask.model, messages }, origin });
  const { run, choice, release } = admitted;
  try {
    const { text, usage } = choice.isSimulated
      ? await simulated(ask)
      : await fromUpstream(parts, { ...admitted, candidates: choice.candidates, ask, signal: origin.signal });
    run.began();
    await run.end({ status: origin.signal.aborted ? "cancelled" : "succeeded", usage });
    release();
    const headers: Record<string, string> = choice.isSimulated
      ? { "x-svc-simulated": "true" }
      : { "x-svc-upstream": run.upstream ?? "" };
    return relayedReply(text, headers);
  } catch (failure) {
    void run.fail(origin.signal.aborted ? "cancelled" : "failed", failure);
    release();
    throw origin.signal.aborted ? clientGone() : failure;
  }
}

interface Embedded {
  text: string;
  usage: ChatUsage;
}

async function simulated(ask: EmbeddingAsk): Promise<Embedded> {
  const answer = await echoEmbedding(ask);
  const usage = { promptTokens: answer.usage.prompt_tokens, completionTokens: 0, isEstimated: false };
  return { text: JSON.stringify(answer), usage };
}

async function fromUpstream(
  parts: GatewayParts,
  {
    call,
    run,
    candidates,
    ask,
    signal,
  }: Admitted & { candidates: readonly Candidate[]; ask: EmbeddingAsk; signal: AbortSignal },
): Promise<Embedded> {
  const { encoding_format: _, ...plainAsk } = ask;
  const { text, value } = await askUpstreams({
    circuits: parts.circuits,
    form: "whole",
    candidates,
    signal,
    onTry: (candidate) => run.tried(candidate),
    ask: async (candidate) =>
      inFormat(
        ask,
        await postJson(parts, candidate, {
          path: "/embeddings",
          body: (refused) => (refused.has(FORMAT) ? plainAsk : ask),
          optional: ask.encoding_format ? { field: FORMAT, names: [FORMAT] } : undefined,
          signal,
          tenantId: call.payer.tenantId,
          read: (text, redactor) => shownJson(text, candidate, { redactor, parse: JSON.parse }),
        }),
      ),
  });
  const { usage } = value as { usage?: object };
  return { text, usage: reportedUsage({ completion_tokens: 0, ...usage }) ?? (await countedInput(ask)) };
}

/** svc converts vectors, so an upstream need not know the field. */
const FORMAT = "encoding_format";

async function countedInput({ input }: EmbeddingAsk): Promise<ChatUsage> {
  let promptTokens = 0;
  for (const one of inputsOf(input)) promptTokens += typeof one === "string" ? await countTokens(one) : one.length;
  return { promptTokens, completionTokens: 0, isEstimated: true };
}
