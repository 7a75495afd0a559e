import { ServiceError } from "../../../kernel/errors";
import type { ChatCall, Checked, GuardStage } from "./chat-stages";

/** Requests of a tenant that one process runs at once. */
const RUNNING_MAX = 2000;

/** The first stages of every request: a bound for how much runs at once, and the context of the model. */
export const firstGuards = (): GuardStage[] => [createRateStage(), sizeStage];

/** Refuses a conversation that no upstream of the model can read. */
const sizeStage: GuardStage = {
  name: "size",
  check: ({ promptTokens, contextTokens, body }: ChatCall): Checked =>
    contextTokens === undefined || promptTokens <= contextTokens * ESTIMATE_SLACK
      ? undefined
      : new ServiceError(
          "invalid_request",
          `The model ${body.model} reads at most ${contextTokens} tokens, and the messages have about ${promptTokens}; send fewer or shorter ones.`,
          { param: "messages", details: { reason: "context_length_exceeded" } },
        ),
};
/** The estimate may be too high; the upstream knows exactly. */
const ESTIMATE_SLACK = 1.5;

/** Each tenant has a share of the process, whatever its rate of requests. */
export function createRateStage(runningMax = RUNNING_MAX): GuardStage {
  const running = new Map<string, number>();
  return {
    name: "rate",
    check: ({ payer: { tenantId } }) => {
      const count = running.get(tenantId) ?? 0;
      if (count >= runningMax) {
        return new ServiceError("rate_limited", `At most ${runningMax} chat requests run at once. Retry in 1 s.`, {
          retryAfterSeconds: 1,
          details: { reason: "concurrency" },
        });
      }
      running.set(tenantId, count + 1);
      return { release: () => release(running, tenantId) };
    },
  };
}

function release(running: Map<string, number>, tenantId: string): void {
  const left = (running.get(tenantId) ?? 1) - 1;
  if (left === 0) running.delete(tenantId);
  else running.set(tenantId, left);
}
