import { ServiceError } from "../../../kernel/errors";
import { numberOf } from "../../../kernel/relayed-json";
import { ChatRun } from "./chat-run";
import type { AdmittedCall, ChatBody, ChatCall } from "./chat-stages";
import { estimatePrompt } from "./count-tokens";
import type { ChatOrigin, GatewayParts } from "./gateway-parts";
import type { ModelKind } from "./upstream";
import type { Choice } from "./upstreams";

export interface Asked {
  endpoint: ModelKind;
  /** Of embeddings: the texts as messages. */
  body: ChatBody;
  origin: ChatOrigin;
}

/** A request that may run: its guards have passed and its budget is reserved. */
export interface Admitted {
  call: AdmittedCall;
  run: ChatRun;
  choice: Choice;
  /** Frees what the guards hold; call it once, when the request has ended. */
  release: () => void;
}

/** Finds the upstreams of a request, asks the guards, and reserves its budget. Throws the first refusal. */
export async function admit(
  { upstreams, stages, ledger, log }: Pick<GatewayParts, "upstreams" | "stages" | "ledger" | "log">,
  { endpoint, body, origin }: Asked,
): Promise<Admitted> {
  const startedMs = performance.now();
  const { payer, actor, request } = origin;
  const choice = await upstreams.choose(payer, body.model, endpoint);
  const models = choice.isSimulated ? [] : choice.candidates.map(({ model }) => model);
  const promptTokens = estimatePrompt(body.messages, body.tools);
  const call: ChatCall = {
    actor,
    request,
    payer,
    body,
    promptTokens,
    isSimulated: choice.isSimulated,
    contextTokens: models.some(({ contextTokens }) => contextTokens === undefined)
      ? undefined
      : largest(models.map(({ contextTokens = 0 }) => contextTokens)),
  };
  const release = await passGuards(stages.guards, call);
  try {
    const start = {
      ...payer,
      requestId: request.requestId,
      endpoint,
      model: body.model,
      promptTokens,
      price: { inputNanos: 0, outputNanos: 0, ...dearest(models.map(({ price }) => price)) },
      completionTokensMax: endpoint === "chat" ? completionTokensMaxOf(body) : 0,
      isStream: body.stream === true,
    };
    const entry = await ledger.begin(start);
    const run = new ChatRun({ start, entry, isSimulated: choice.isSimulated, startedMs, ledger, log });
    return { call: Object.assign(call, { entry }), run, choice, release };
  } catch (failure) {
    release();
    throw failure;
  }
}

async function passGuards(guards: GatewayParts["stages"]["guards"], call: ChatCall): Promise<() => void> {
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0)) each();
  };
  try {
    for (const guard of guards) {
      const checked = await guard.check(call);
      if (checked instanceof ServiceError) throw checked;
      if (checked) releases.push(checked.release);
    }
    return release;
  } catch (refusal) {
    release();
    throw refusal;
  }
}

const largest = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : Math.max(...numbers);

/** What is reserved is the price of the dearest upstream that may answer. */
const dearest = (prices: readonly { inputNanos: number; outputNanos: number }[]) =>
  prices.length === 0
    ? {}
    : {
        inputNanos: Math.max(...prices.map(({ inputNanos }) => inputNanos)),
        outputNanos: Math.max(...prices.map(({ outputNanos }) => outputNanos)),
      };

function completionTokensMaxOf({ max_completion_tokens: max, max_tokens: old, n }: ChatBody): number | undefined {
  const each = numberOf(max) ?? numberOf(old);
  return each === undefined ? undefined : each * (numberOf(n) ?? 1);
}
