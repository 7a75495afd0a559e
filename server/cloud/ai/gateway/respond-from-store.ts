import { relayedText } from "../../../kernel/relayed-json";
import { Reply } from "../../../operation/reply";
import type { Admitted } from "./admit";
import type { StoredResponse } from "./chat-stages";
import { eventsOf } from "./completion-chunks";
import { writtenIn } from "./completion-parts";
import { countedUsage, finishChat } from "./finish-chat";
import type { GatewayParts } from "./gateway-parts";
import { reportedUsage } from "./reported-usage";

/** Answers a request without an upstream: from the cache, or by `svc-echo`. */
export async function respondFromStore(
  parts: GatewayParts,
  admitted: Admitted,
  { completion, isCached }: StoredResponse & { isCached: boolean },
): Promise<Reply> {
  const { call, run } = admitted;
  run.began();
  const usage = reportedUsage(completion.usage) ?? (await countedUsage(admitted, writtenIn(completion)));
  const finish = (status: "succeeded" | "cancelled") =>
    finishChat(parts, admitted, { status, completion, usage, isCached, isComplete: true });
  const headers = {
    ...(run.isSimulated && { "x-svc-simulated": "true" }),
    ...(isCached && { "x-svc-cache": "hit" }),
  };
  if (!call.body.stream) {
    await finish("succeeded");
    return new Reply(relayedText(completion), headers);
  }
  await run.answering();
  const options = (call.body.stream_options ?? {}) as { include_usage?: unknown };
  const events = eventsOf(completion, options.include_usage === true);
  return new Reply(storedStream(events, finish), headers);
}

/** Events that are there already as the body of a response, a chunk each; `onEnd` resolves before the last one is sent. */
export function storedStream(
  events: Generator<Buffer>,
  onEnd: (status: "succeeded" | "cancelled") => Promise<void>,
): ReadableStream<Uint8Array> {
  let isEnded = false;
  const end = async (status: "succeeded" | "cancelled") => {
    if (isEnded) return;
    isEnded = true;
    await onEnd(status);
  };
  let next = events.next();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (next.done) return controller.close();
        const { value } = next;
        next = events.next();
        if (next.done) await end("succeeded");
        controller.enqueue(value);
        // Otherwise a long answer would occupy the process until it is written.
        await new Promise((resolve) => setImmediate(resolve));
      },
      cancel: () => void end("cancelled").catch(() => undefined),
    },
    { highWaterMark: 0 },
  );
}
