import type { Field, NamedCommand } from "./command";

export interface Flag {
  name: string;
  kind: Field["kind"];
  minimum?: number;
  description: string;
}

/** The flags of a command that are no fields. */
export const flagsOf = ({ call }: NamedCommand): Flag[] => [
  ...(call.paged ? [ALL_FLAG] : []),
  ...(call.body ? [DATA_FLAG] : []),
  ...(call.idempotent ? [IDEMPOTENCY_FLAG] : []),
  ...(call.upload ? UPLOAD_FLAGS : []),
  ...SHARED_FLAGS,
];

/** What may stand behind every command that calls the API. */
const SHARED_FLAGS: readonly Flag[] = [
  { name: "json", kind: "boolean", description: "Print JSON, for programs; refusals too" },
  { name: "help", kind: "boolean", description: "Say what the command takes" },
  { name: "base-url", kind: "string", description: "Where svc is, such as https://svc.example" },
  { name: "timeout", kind: "number", minimum: 0.001, description: "Seconds for each try (default 30, uploads 3600)" },
  {
    name: "retries",
    kind: "integer",
    minimum: 0,
    description: "How often to try again where that is safe (default 3)",
  },
];
const ALL_FLAG: Flag = { name: "all", kind: "boolean", description: "Every page, not the first alone" };
const DATA_FLAG: Flag = {
  ...{ name: "data", kind: "object" },
  description: "The whole body as JSON or @file; other flags win over it",
};
const IDEMPOTENCY_FLAG: Flag = {
  ...{ name: "idempotency-key", kind: "string" },
  description: "A UUID; run again with the same one within 24 h, nothing is made twice",
};
const UPLOAD_FLAGS: readonly Flag[] = [
  { name: "content-type", kind: "string", description: "What the feed is, where its name does not say: text/csv" },
  { name: "content-encoding", kind: "string", description: "gzip, where the name does not end in .gz" },
];
