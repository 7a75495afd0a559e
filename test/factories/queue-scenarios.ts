/**
 * The behaviour of SQS FIFO queues as steps. Names of messages are their bodies; a receive names its expected messages,
 * and later steps refer to their receipts by these names, `m1#2` being the second receipt of `m1`. Times are seconds; the
 * visibility timeout is 30 s where nothing else is said.
 */
export interface Scenario {
  name: string;
  maxReceives?: number;
  retention?: number;
  inFlightMax?: number;
  steps: Step[];
}

/** `g:body`, or `body` for the default group. */
type Named = string;

export type Step =
  | { send: Named[]; delay?: number }
  | { sendOnce: Named; id: string; isDuplicate: boolean }
  | { receive: string[]; max?: number; timeout?: number }
  | { receiveDead: string[] }
  | { acknowledge: string[]; outcome?: "ok" | "expired" | "unknown" }
  | { extend: string[]; to: number; outcome?: "ok" | "expired" }
  | { giveBack: string[]; delay?: number; outcome?: "ok" | "expired" }
  | { wait: number }
  | { counts: [waiting: number, delayed: number, inFlight: number] }
  | { receiveCount: Record<string, number> }
  | { purge: number }
  | { redrive: number };

export const SCENARIOS: Scenario[] = [
  {
    name: "messages of one group come in the order in which they were sent",
    steps: [{ send: ["a", "b", "c"] }, { receive: ["a", "b", "c"] }],
  },
  {
    name: "an in-flight head blocks its group",
    steps: [{ send: ["a", "b"] }, { receive: ["a"], max: 1 }, { receive: [] }],
  },
  {
    name: "other groups go on while one is in flight",
    steps: [
      { send: ["g:a", "h:b", "g:c", "h:d"] },
      { receive: ["g:a"], max: 1 },
      { receive: ["h:b", "h:d"] },
      { receive: [] },
    ],
  },
  {
    name: "one receive takes messages of several groups",
    steps: [{ send: ["g:a", "h:b", "i:c"] }, { receive: ["g:a", "h:b", "i:c"] }],
  },
  {
    name: "messages without a group are a group of their own",
    steps: [{ send: ["a", "g:b", "c"] }, { receive: ["a"], max: 1 }, { receive: ["g:b"] }, { receive: [] }],
  },
  {
    name: "an acknowledged head frees its group",
    steps: [{ send: ["a", "b"] }, { receive: ["a"], max: 1 }, { acknowledge: ["a"] }, { receive: ["b"] }],
  },
  {
    name: "a group stays blocked until all that are in flight are done",
    steps: [
      { send: ["a", "b", "c"] },
      { receive: ["a", "b"], max: 2 },
      { acknowledge: ["a"] },
      { receive: [] },
      { acknowledge: ["b"] },
      { receive: ["c"] },
    ],
  },
  {
    name: "messages are acknowledged in any order",
    steps: [
      { send: ["a", "b", "c"] },
      { receive: ["a", "b", "c"] },
      { acknowledge: ["c"] },
      { acknowledge: ["a"] },
      { receive: [] },
      { wait: 31 },
      { receive: ["b"] },
    ],
  },
  {
    name: "a message whose time is over comes before newer ones of its group",
    steps: [
      { send: ["a", "b"] },
      { receive: ["a"], max: 1 },
      { wait: 31 },
      { receive: ["a", "b"] },
      { receiveCount: { a: 2, b: 1 } },
    ],
  },
  {
    name: "a message that was sent while its group was in flight comes after the returned ones",
    steps: [{ send: ["a"] }, { receive: ["a"] }, { send: ["b"] }, { wait: 31 }, { receive: ["a", "b"] }],
  },
  {
    name: "an acknowledgement after the timeout is refused, redelivered or not",
    steps: [
      { send: ["a"] },
      { receive: ["a"] },
      { wait: 31 },
      { acknowledge: ["a"], outcome: "expired" },
      { receive: ["a"] },
      { acknowledge: ["a#1"], outcome: "expired" },
      { acknowledge: ["a#2"] },
      { wait: 31 },
      { receive: [] },
    ],
  },
  {
    name: "a receipt acknowledges once",
    steps: [{ send: ["a"] }, { receive: ["a"] }, { acknowledge: ["a"] }, { acknowledge: ["a"], outcome: "expired" }],
  },
  {
    name: "what is no receipt of the queue is unknown",
    steps: [{ acknowledge: ["nonsense"], outcome: "unknown" }],
  },
  {
    name: "an extended message of a batch keeps its group blocked when the others return",
    steps: [
      { send: ["a", "b", "c", "d"] },
      { receive: ["a", "b", "c"], max: 3 },
      { extend: ["b"], to: 100 },
      { wait: 31 },
      { counts: [3, 0, 1] },
      { receive: [] },
      { acknowledge: ["b"] },
      { receive: ["a", "c", "d"] },
    ],
  },
  {
    name: "an extension counts from now, and may shorten",
    steps: [
      { send: ["a"] },
      { receive: ["a"] },
      { wait: 20 },
      { extend: ["a"], to: 5 },
      { wait: 6 },
      { receive: ["a"] },
    ],
  },
  {
    name: "an extended message does not return at its first time",
    steps: [
      { send: ["a"] },
      { receive: ["a"] },
      { wait: 29 },
      { extend: ["a"], to: 30 },
      { wait: 29 },
      { receive: [] },
      { wait: 2 },
      { receive: ["a"] },
    ],
  },
  {
    name: "an extension after the timeout is refused",
    steps: [
      { send: ["a"] },
      { receive: ["a"] },
      { wait: 31 },
      { extend: ["a"], to: 30, outcome: "expired" },
      { receive: ["a"] },
    ],
  },
  {
    name: "a receive has a visibility timeout of its own",
    steps: [
      { send: ["a"] },
      { receive: ["a"], timeout: 5 },
      { wait: 4 },
      { receive: [] },
      { wait: 2 },
      { receive: ["a"] },
    ],
  },
  {
    name: "a message that is given back comes at once and before newer ones",
    steps: [{ send: ["a", "b"] }, { receive: ["a"], max: 1 }, { giveBack: ["a"] }, { receive: ["a", "b"] }],
  },
  {
    name: "the middle of a batch that is given back waits for the rest of its group",
    steps: [
      { send: ["a", "b", "c"] },
      { receive: ["a", "b", "c"] },
      { giveBack: ["b"] },
      { receive: [] },
      { acknowledge: ["a", "c"] },
      { receive: ["b"] },
    ],
  },
  {
    name: "a message that is given back with a delay holds back its group, not others",
    steps: [
      { send: ["g:a", "g:b", "h:c"] },
      { receive: ["g:a"], max: 1 },
      { giveBack: ["g:a"], delay: 10 },
      { receive: ["h:c"] },
      { counts: [1, 1, 1] },
      { wait: 11 },
      { receive: ["g:a", "g:b"] },
    ],
  },
  {
    name: "giving back after the timeout is refused",
    steps: [
      { send: ["a"] },
      { receive: ["a"] },
      { wait: 31 },
      { giveBack: ["a"], outcome: "expired" },
      { receive: ["a"] },
    ],
  },
  {
    name: "a delayed message comes when its delay is over and holds back later ones of its group",
    steps: [
      { send: ["g:a"], delay: 10 },
      { send: ["g:b", "h:c"] },
      { counts: [2, 1, 0] },
      { receive: ["h:c"] },
      { wait: 11 },
      { receive: ["g:a", "g:b"] },
    ],
  },
  {
    name: "a delayed message does not hold back earlier ones of its group",
    steps: [
      { send: ["a"] },
      { send: ["b"], delay: 10 },
      { receive: ["a"] },
      { wait: 11 },
      { acknowledge: ["a"] },
      { receive: ["b"] },
    ],
  },
  {
    name: "a second message with a deduplication id is not stored within 5 minutes",
    steps: [
      { sendOnce: "a", id: "x", isDuplicate: false },
      { sendOnce: "b", id: "x", isDuplicate: true },
      { sendOnce: "c", id: "y", isDuplicate: false },
      { receive: ["a", "c"] },
      { acknowledge: ["a", "c"] },
      { sendOnce: "d", id: "x", isDuplicate: true },
      { wait: 301 },
      { sendOnce: "e", id: "x", isDuplicate: false },
      { sendOnce: "f", id: "x", isDuplicate: true },
      { receive: ["e"] },
    ],
  },
  {
    name: "after maxReceives receives a message goes to the dead-letter queue and its group goes on",
    maxReceives: 2,
    steps: [
      { send: ["a", "b"] },
      { receive: ["a"], max: 1 },
      { wait: 31 },
      { receive: ["a"], max: 1 },
      { wait: 31 },
      { receive: ["b"] },
      { receiveDead: ["a"] },
    ],
  },
  {
    name: "the move to the dead-letter queue keeps the order and counts receives again",
    maxReceives: 1,
    steps: [
      { send: ["g:a", "h:b", "g:c", "h:d"] },
      { receive: ["g:a", "h:b", "g:c", "h:d"] },
      { wait: 31 },
      { receive: [] },
      { counts: [0, 0, 0] },
      { receiveDead: ["g:a", "h:b", "g:c", "h:d"] },
      { receiveCount: { "g:a": 1, "h:d": 1 } },
    ],
  },
  {
    name: "a redrive brings messages back in their order",
    maxReceives: 1,
    steps: [
      { send: ["a", "b", "c"] },
      { receive: ["a", "b", "c"] },
      { giveBack: ["a", "b", "c"] },
      { receive: [] },
      { redrive: 3 },
      { receive: ["a", "b", "c"] },
      { receiveCount: { a: 1 } },
      { receiveDead: [] },
    ],
  },
  {
    name: "a purge deletes what waits and what is in flight",
    steps: [
      { send: ["g:a", "h:b"] },
      { receive: ["g:a"], max: 1 },
      { send: ["i:c"], delay: 60 },
      { purge: 3 },
      { counts: [0, 0, 0] },
      { acknowledge: ["g:a"], outcome: "expired" },
      { wait: 61 },
      { receive: [] },
      { send: ["g:d"] },
      { receive: ["g:d"] },
    ],
  },
  {
    name: "messages older than the retention are deleted",
    retention: 60,
    steps: [{ send: ["a"] }, { wait: 40 }, { send: ["b"] }, { wait: 30 }, { counts: [1, 0, 0] }, { receive: ["b"] }],
  },
  {
    name: "a message in flight is deleted when its retention ends",
    retention: 60,
    steps: [
      { send: ["a"] },
      { wait: 50 },
      { receive: ["a"] },
      { wait: 15 },
      { counts: [0, 0, 0] },
      { acknowledge: ["a"], outcome: "expired" },
    ],
  },
  {
    name: "no more messages are in flight than the limit allows",
    inFlightMax: 3,
    steps: [
      { send: ["g:a", "h:b", "i:c", "j:d", "j:e"] },
      { receive: ["g:a", "h:b"], max: 2 },
      { receive: ["i:c"] },
      { receive: [] },
      { acknowledge: ["h:b"] },
      { receive: ["j:d"] },
      { counts: [1, 0, 3] },
      { receive: [] },
      { wait: 31 },
      { receive: ["g:a", "i:c", "j:d"] },
    ],
  },
];
