import type { CommandSyntax, Flag } from "./command-syntax";
import { watchedUntil, watchFlag } from "./pods/watched-commands";

/** The flags of a command that are not fields. */
export function flagsOf({ noun, verb, call, flags = [] }: CommandSyntax): Flag[] {
  if (!call) return [...flags, ...SHARED_FLAGS];
  const until = watchedUntil({ noun, verb });
  return [
    ...(call.paged ? [ALL_FLAG] : []),
    ...(call.body ? [DATA_FLAG] : []),
    ...(call.idempotent ? [IDEMPOTENCY_FLAG] : []),
    ...(call.upload ? UPLOAD_FLAGS : []),
    ...(until ? [watchFlag(until)] : []),
    JSON_FLAG,
    ...SHARED_FLAGS,
    ...CALL_FLAGS,
  ];
}

const JSON_FLAG: Flag = { name: "json", kind: "boolean", description: "Print JSON, including errors, for programs" };
/** Flags of every command that calls the API. */
const SHARED_FLAGS: readonly Flag[] = [
  { name: "help", kind: "boolean", description: "Show the command's arguments" },
  { name: "base-url", kind: "string", description: "The URL of svc, such as https://svc.example" },
];
/** Flags of a command that is one call. */
const CALL_FLAGS: readonly Flag[] = [
  { name: "timeout", kind: "number", minimum: 0.001, description: "Seconds per attempt (default 30, uploads 3600)" },
  {
    name: "retries",
    kind: "integer",
    minimum: 0,
    description: "Maximum number of safe retries (default 3)",
  },
];
const ALL_FLAG: Flag = { name: "all", kind: "boolean", description: "All pages instead of only the first" };
const DATA_FLAG: Flag = {
  name: "data",
  kind: "object",
  description: "The whole body as JSON or @file; other flags override it",
};
const IDEMPOTENCY_FLAG: Flag = {
  name: "idempotency-key",
  kind: "string",
  description: "A UUID; a second run with the same one within 24 h creates nothing new",
};
const UPLOAD_FLAGS: readonly Flag[] = [
  {
    name: "content-type",
    kind: "string",
    description: "The media type, if the file name has no known extension: text/csv",
  },
  { name: "content-encoding", kind: "string", description: "gzip, if the file name does not end in .gz" },
];
