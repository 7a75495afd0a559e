import { readableText } from "../../../kernel/relayed-bytes";
import { relayedText } from "../../../kernel/relayed-json";
import type { ChatUsage } from "../ledger/chat-ledger";
import type { Admitted } from "./admit";
import type { RunEnd } from "./chat-run";
import type { AdmittedCall, Completion, FinalResponse } from "./chat-stages";
import { countPrompt, countTokens, estimateTokens, textOf } from "./count-tokens";
import type { GatewayParts } from "./gateway-parts";

/** Bodies are stored up to this length each. */
const BODY_CHARS_MAX = 256 * 1024;

export interface Finished extends Omit<RunEnd, "bodies" | "usage"> {
  usage: ChatUsage;
  completion: Completion;
  isComplete: boolean;
}

/**
 * Bills a request that has an answer, and shows the answer to the stages that want to see it. Resolves when the bill is
 * recorded, before which the end of the answer is not passed on; rejects if it cannot be.
 */
export async function finishChat(
  parts: Pick<GatewayParts, "stages" | "log">,
  admitted: Admitted,
  { completion, usage, isComplete, ...end }: Finished,
): Promise<void> {
  const { call, run, release } = admitted;
  const billed = run.end({
    ...end,
    usage,
    ...(run.entry.storesBodies && {
      bodies: {
        request: relayedText(call.body).slice(0, BODY_CHARS_MAX),
        response: readableText(relayedText(completion)).slice(0, BODY_CHARS_MAX),
      },
    }),
  });
  release();
  const answer: FinalResponse = {
    completion,
    usage,
    isComplete,
    isSimulated: run.isSimulated,
    isCached: end.isCached ?? false,
    isDelivered: end.status !== "cancelled",
    text: readableText(textOf(completion.choices?.[0]?.message?.content)),
  };
  void show(parts, call, answer);
  await billed;
}

async function show(
  { stages, log }: Pick<GatewayParts, "stages" | "log">,
  call: AdmittedCall,
  answer: FinalResponse,
): Promise<void> {
  for (const stage of stages.answers) {
    try {
      await stage.see(call, answer);
    } catch (err) {
      log.error({ err, request_id: call.request.requestId, stage: stage.name }, "a stage failed on an answer");
    }
  }
}

/** The usage of a request whose upstream reported none. Never throws. */
export async function countedUsage({ call }: Pick<Admitted, "call">, written: string): Promise<ChatUsage> {
  const { messages, tools } = call.body;
  try {
    const [promptTokens, completionTokens] = [
      await countPrompt(messages, tools),
      await countTokens(readableText(written)),
    ];
    return { promptTokens, completionTokens, isEstimated: true };
  } catch {
    return { promptTokens: call.promptTokens, completionTokens: estimateTokens(written.length), isEstimated: true };
  }
}
