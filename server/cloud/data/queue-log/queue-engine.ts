/** A queue as its record says at the time of the call. `dlq` receives what was received `maxReceives` times. */
export interface QueueRef {
  id: string;
  visibilityTimeoutMs: number;
  retentionMs: number;
  maxReceives: number;
  dlq?: QueueRef | undefined;
}

export interface NewMessage {
  /** JSON text, or the string itself if `isText`. At most 256 KiB. */
  body: string;
  isText: boolean;
  /** Messages without a group belong to the queue's default group. */
  groupId?: string | undefined;
  /** Later messages of the group wait for a delayed one. */
  delayMs?: number | undefined;
  /** A second message with this id within 5 minutes is not stored. */
  deduplicationId?: string | undefined;
}

export interface SentMessage {
  id: string;
  /** The id is that of the message that was stored before. */
  isDuplicate: boolean;
}

interface StoredMessage {
  id: string;
  body: string;
  isText: boolean;
  groupId: string | undefined;
  sentAt: Date;
  receiveCount: number;
}

export interface ReceivedMessage extends StoredMessage {
  receipt: string;
}

export interface PeekedMessage extends StoredMessage {
  state: "waiting" | "delayed" | "in_flight";
}

export interface ReceiveAsk {
  messagesMax: number;
  /** How long to wait for a message if there is none, 0 to 20,000. */
  waitMs: number;
  /** Default: that of the queue. */
  visibilityTimeoutMs?: number | undefined;
  /** An aborted receive takes no message. */
  signal?: AbortSignal | undefined;
}

/** `expired`: the lease of this receipt has ended; `unknown`: no receipt of this queue. */
export type ReceiptOutcome = "ok" | "expired" | "unknown";

export interface QueueFigures {
  waiting: number;
  delayed: number;
  inFlight: number;
  /** When the oldest message was sent to this queue; undefined if the queue is empty. */
  oldestAt: Date | undefined;
}

/**
 * Durable FIFO queues with the semantics of SQS FIFO: strict order per group, delivery at least once. While a message
 * of a group is in flight, no other call receives messages of that group. Everything that a call returned is committed.
 * Errors: `unavailable` when Postgres is unavailable (a send may have happened or not) or too many calls wait for one
 * queue; `not_found` for a queue that was removed.
 */
export interface QueueEngine {
  /** Stores all messages in this order, or none. */
  send(queue: QueueRef, messages: readonly NewMessage[]): Promise<SentMessage[]>;
  /** Leases up to `messagesMax` messages, at most about 4 MiB of bodies together. */
  receive(queue: QueueRef, ask: ReceiveAsk): Promise<ReceivedMessage[]>;
  /** Deletes messages; a receipt works once. */
  acknowledge(queue: QueueRef, receipts: readonly string[]): Promise<ReceiptOutcome[]>;
  /** The leases then end this long after now. */
  extend(
    queue: QueueRef,
    items: readonly { receipt: string; visibilityTimeoutMs: number }[],
  ): Promise<ReceiptOutcome[]>;
  /** Ends leases; the messages can be received again after `delayMs`, ahead of later ones of their groups. */
  giveBack(queue: QueueRef, items: readonly { receipt: string; delayMs: number }[]): Promise<ReceiptOutcome[]>;
  /** The oldest messages, in order; changes nothing. */
  peek(queue: QueueRef, messagesMax: number): Promise<PeekedMessage[]>;
  /** Deletes all messages, those in flight too. */
  purge(queue: QueueRef): Promise<{ purged: number }>;
  /** Moves the oldest messages that are not in flight; their receive counts begin again. */
  redrive(from: QueueRef, to: QueueRef, messagesMax: number): Promise<{ moved: number }>;
  figures(queue: QueueRef): Promise<QueueFigures>;
  /** Ends a queue permanently: later calls are `not_found`; its rows are deleted in the background. */
  remove(queueId: string): Promise<void>;
  /** Ends waiting receives with nothing and finishes what was begun. */
  stop(): Promise<void>;
}
