import { Reply } from "../../../operation/reply";
import type { ChatUsage } from "../ledger/chat-ledger";
import { type Admitted, admit } from "./admit";
import { askUpstreams } from "./ask-upstreams";
import { postJson } from "./complete-upstream";
import { reportedUsage } from "./completion-parts";
import { countTokens } from "./count-tokens";
import { type EmbeddingAsk, echoEmbedding, inputsOf } from "./echo-embedding";
import { type ChatOrigin, clientGone, type GatewayParts } from "./gateway-parts";
import type { Candidate } from "./upstream";
import { UpstreamFailure } from "./upstream-failure";

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
    return new Reply(text, headers);
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
  const { text, value } = await askUpstreams({
    circuits: parts.circuits,
    candidates,
    signal,
    onTry: (candidate) => run.tried(candidate),
    ask: async (candidate) => {
      const answer = await postJson(parts, candidate, {
        path: "/embeddings",
        body: ask,
        signal,
        tenantId: call.payer.tenantId,
      });
      if (Array.isArray((answer.value as { data?: unknown } | null)?.data)) return answer;
      throw new UpstreamFailure("the response has no vectors", { status: 502 });
    },
  });
  const usage = reportedUsage((value as { usage?: unknown }).usage) ?? (await countedInput(ask));
  return { text, usage };
}

async function countedInput({ input }: EmbeddingAsk): Promise<ChatUsage> {
  let promptTokens = 0;
  for (const one of inputsOf(input)) promptTokens += typeof one === "string" ? await countTokens(one) : one.length;
  return { promptTokens, completionTokens: 0, isEstimated: true };
}
