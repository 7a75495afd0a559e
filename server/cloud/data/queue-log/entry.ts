import type { Runs } from "./runs";

/**
 * One turn of a queue as its log stores it. Entries alone, applied in the order of their numbers, give the state of the
 * queue; what they say is done in the order of these fields, after the leases that ended by `at`.
 */
export interface Entry {
  /** Milliseconds since 1970; never less than that of the entry before. */
  at: number;
  /** All positions below are deleted: by retention, or by a purge. */
  floor?: number;
  /** Leases that nobody received; the receive does not count. */
  undone?: number[];
  /** The lease, slots of it, and when it now ends for these. */
  extended?: [lease: number, slots: Runs, until: number][];
  /** Without slots, all that are left. */
  acknowledged?: [lease: number, slots?: Runs][];
  /** The lease, slots of it, and when their messages can be received again. */
  returned?: [lease: number, slots: Runs, visibleFrom: number][];
  /** Positions of messages that went to another queue. */
  moved?: Runs;
  /** New leases, which are numbered in this order: when they end, their random tag, and the positions of their slots. */
  leased?: [until: number, tag: number, positions: Runs][];
  /** How many messages were added at the tail. */
  sent?: number;
  /** How many of them are delayed, by the time from which they can be received. */
  delays?: [visibleFrom: number, count: number][];
  /** The queue was deleted. */
  removed?: true;
}

/** What is kept in memory of a stored message. */
export interface MessageRow {
  position: number;
  groupId: string | undefined;
  visibleFrom: number;
  storedAt: number;
  /** Of the body. */
  bytes: number;
  /** The position of the first message of its chunk, and where in the chunk its record begins. */
  chunk: number;
  start: number;
}
