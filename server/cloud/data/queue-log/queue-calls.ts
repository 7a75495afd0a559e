import { randomInt } from "node:crypto";
import type { Commands, ReceiptCommand } from "./decide-turn";
import type { QueueRef, ReceiptOutcome, ReceiveAsk, ReceivedMessage, SentMessage } from "./queue-engine";
import type { NewMessageRow } from "./queue-log.sql";

interface Call<R> {
  resolve: (result: R) => void;
  reject: (cause: unknown) => void;
}

/** A message to be sent, before its turn gives it an id. */
export interface Draft extends Omit<NewMessageRow, "id" | "visibleFrom"> {
  delayMs: number;
}

export interface SendCall extends Call<SentMessage[]> {
  drafts: readonly Draft[];
  bytes: number;
}

export interface ReceiptCall extends Call<ReceiptOutcome[]> {
  /** `unknown` for what is no receipt of this queue. */
  commands: readonly (ReceiptCommand | "unknown")[];
}

export interface ReceiveCall extends Call<ReceivedMessage[]> {
  ask: ReceiveAsk;
  queue: QueueRef;
  /** It may not wait any longer. */
  isLate: boolean;
  isAborted: boolean;
  /** It cannot be ended at the moment: it may be getting messages. */
  isInTurn: boolean;
}

const TAG_MAX = 2 ** 48 - 1;

/** The calls that one turn serves. */
export interface TurnCalls {
  sends: SendCall[];
  receipts: ReceiptCall[];
  receives: ReceiveCall[];
  undone: number[];
}

export const receiptCommandsOf = (calls: readonly ReceiptCall[]): ReceiptCommand[] =>
  calls.flatMap(({ commands }) => commands.filter((command) => command !== "unknown"));

export const receiveCommandsOf = (calls: readonly ReceiveCall[]): Commands["receives"] =>
  calls.map(({ ask, queue }) => ({
    messagesMax: ask.messagesMax,
    visibilityTimeoutMs: ask.visibilityTimeoutMs ?? queue.visibilityTimeoutMs,
    tag: randomInt(TAG_MAX),
  }));

/** Every call gets the outcomes of its own receipts. */
export function resolveReceipts(calls: readonly ReceiptCall[], outcomes: readonly ReceiptOutcome[]): void {
  let next = 0;
  for (const { commands, resolve } of calls) {
    resolve(commands.map((command) => (command === "unknown" ? command : (outcomes[next++] ?? "unknown"))));
  }
}
