import { OPERATIONS } from "../generated/operations";
import type { Message, Queue } from "../generated/platform-types";
import type { CallOptions, Operation, Pages } from "../operation";
import { SvcError } from "../platform-client";

/** Unless the key cannot read the queue. */
const LEASE_SECONDS = 30;
/** A shorter one would be extended more than once in 5 s. */
const LEASE_SECONDS_MIN = 10;

type Call = (operation: Operation, input: Record<string, unknown>, options: CallOptions) => unknown | Pages<unknown>;

interface Outcomes {
  data: { receipt: string; outcome: "ok" | "lease_expired" | "unknown" }[];
}

/** The calls that a consumer of one queue makes. All reject with an SvcError. */
export interface QueueCalls {
  /** How long a received message belongs to this consumer; extended at half of it. */
  leaseMs: number;
  receive(ask: { messagesMax: number; waitSeconds: number; signal: AbortSignal }): Promise<Message[]>;
  /** Whether the message was still this consumer's. */
  acknowledge(receipt: string): Promise<boolean>;
  /** The receipts whose leases have ended. */
  extend(receipts: readonly string[]): Promise<string[]>;
  giveBack(receipts: readonly string[], delaySeconds: number): Promise<void>;
}

/** Rejects with the SvcError of a queue that does not exist. */
export async function queueCalls(call: Call, q: string, signal: AbortSignal): Promise<QueueCalls> {
  const lease = await leaseSeconds(call, q, signal);
  const leaseMs = lease * 1000;
  return {
    leaseMs,
    receive: async ({ messagesMax, waitSeconds, signal: stop }) => {
      const input = { q, max_messages: messagesMax, wait_seconds: waitSeconds, visibility_timeout_s: lease };
      const options = { signal: stop, retries: 0 };
      return ((await call(OPERATIONS.receiveMessages, input, options)) as { data: Message[] }).data;
    },
    acknowledge: async (receipt) => {
      const options = { retries: 10, totalTimeoutMs: leaseMs };
      const { data } = (await call(OPERATIONS.acknowledgeMessages, { q, receipts: [receipt] }, options)) as Outcomes;
      return data[0]?.outcome === "ok";
    },
    extend: async (receipts) => {
      const input = { q, receipts, visibility_timeout_s: lease };
      // The next attempt comes before the lease ends.
      const { data } = (await call(OPERATIONS.extendMessages, input, { totalTimeoutMs: leaseMs / 4 })) as Outcomes;
      return data.filter(({ outcome }) => outcome !== "ok").map((one) => one.receipt);
    },
    giveBack: async (receipts, delaySeconds) => {
      if (receipts.length === 0) return;
      const input = { q, receipts, delay_seconds: delaySeconds };
      await call(OPERATIONS.returnMessages, input, { totalTimeoutMs: leaseMs });
    },
  };
}

/** The queue's visibility timeout in seconds. */
async function leaseSeconds(call: Call, q: string, signal: AbortSignal): Promise<number> {
  try {
    const queue = (await call(OPERATIONS.getQueue, { q }, { signal, retries: 0 })) as Queue;
    return Math.max(LEASE_SECONDS_MIN, queue.visibility_timeout_s);
  } catch (failure) {
    if (failure instanceof SvcError && failure.code === "forbidden") return LEASE_SECONDS;
    throw failure;
  }
}
