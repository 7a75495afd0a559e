/** The limits of queues, as people read them. */
export const LIMITS = [
  ["Message body", "256 KiB in UTF-8"],
  ["Messages in flight", "1,000,000 per queue; beyond it a receive gets no messages"],
  ["Batch", "100 messages or receipts per call, 8 MiB in total"],
  ["Receive", "100 messages, about 4 MiB; waits up to 20 seconds"],
  ["Visibility timeout", "0 seconds to 12 hours, default 30 seconds"],
  ["Delay", "0 to 15 minutes"],
  ["Deduplication", "5 minutes"],
  ["Retention", "1 minute to 14 days, default 4 days"],
  ["Max receives", "1 to 1,000, default 5; applies with a dead-letter queue"],
  ["Group and deduplication ID", "1 to 128 characters; any number of groups"],
  ["Name of a queue", "1 to 80 characters of A-Z a-z 0-9 . _ -, unique in the project and mode"],
  ["Redrive", "1,000 messages per call"],
  ["Peek", "100 messages"],
  ["History", "14 days"],
  ["Queues", "1,000 per tenant; your operator can raise it"],
] as const;
