import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { INPUT_LIMITS } from "../../../kernel/bounded-input";
import { CodeEnv } from "../../compute/workers/code-env";

const CODE_BYTES_MAX = 1024 * 1024;
const BINDINGS_MAX = 50;

/** The version that serves is always kept. */
export const VERSIONS_KEPT = 50;
/** Of a request to a function. */
export const REQUEST_BYTES_MAX = 10 * 1024 * 1024;
/** Of a response, with what frames it in the worker. */
export const RESPONSE_BYTES_MAX = 100 * 1024 * 1024;
/** From the request to the end of what the code does for it. */
export const REQUEST_MS_MAX = 30_000;

/** Of a request with code: up to 1 MiB, which JSON may escape. */
export const EDGE_INPUT_LIMITS = { ...INPUT_LIMITS, bytes: 2 * CODE_BYTES_MAX + 128 * 1024 };

const EdgeName = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,80}$/, "expected 1 to 80 characters of A-Z a-z 0-9 . _ -, not . or ..")
  .refine((name) => !name.startsWith("edg_"), 'must not begin with "edg_", as ids of edge functions do')
  .describe("Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -`; the host begins with it");

const bindingName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "expected a name of letters, digits and _, such as CACHE")
  .describe("The name in `env`");

/** Not a part of a path that clients remove. */
export const KvNamespaceName = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,80}$/, "expected 1 to 80 characters of A-Z a-z 0-9 . _ -, not . or ..");

const SqlDatabaseName = z.string().regex(/^[A-Za-z0-9._-]{1,80}$/, "expected 1 to 80 characters of A-Z a-z 0-9 . _ -");

const Binding = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("kv"),
    name: bindingName,
    namespace: KvNamespaceName.describe("Keys and values that functions of the project and mode share by this name"),
  }),
  z.strictObject({
    type: z.literal("object"),
    name: bindingName,
    bucket: IdText.min(1).describe("A bucket, by id or name"),
  }),
  z.strictObject({
    type: z.literal("queue"),
    name: bindingName,
    queue: IdText.min(1).describe("A queue, by id or name"),
  }),
  z.strictObject({
    type: z.literal("sql"),
    name: bindingName,
    database: SqlDatabaseName.describe("An SQL database that functions of the project and mode share by this name"),
  }),
]);
export type Binding = z.infer<typeof Binding>;

export const Bindings = z
  .array(Binding)
  .max(BINDINGS_MAX)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "expected names that differ")
  .describe(
    "What the code finds in `env`, by name: KV namespaces, buckets, queues and SQL databases of the same project and mode",
  );

/** The fields that a client sends, without defaults. */
export const edgeFields = {
  name: EdgeName,
  code: z
    .string()
    .min(1, "expected a JavaScript module")
    .refine((code) => Buffer.byteLength(code) <= CODE_BYTES_MAX, "expected at most 1 MiB of UTF-8 text")
    .describe(
      "A JavaScript module of at most 1 MiB whose default export is an object with `fetch(request, env, ctx)`, which returns a `Response`",
    ),
  bindings: Bindings,
  env: CodeEnv.describe(
    'What else the code finds in `env`: at most 100 texts, or references to secrets such as `{"secret": "SMTP_PASSWORD"}`, which are resolved at each request and require the scope `secrets:reveal`. A name differs from those of bindings',
  ),
};

/** The part of a path that names an edge function. */
export const edgeChoice = { id: IdText.min(1).describe("The id of the edge function, or its name for a key") };
