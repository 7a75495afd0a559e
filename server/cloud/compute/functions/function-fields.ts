import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { INPUT_LIMITS } from "../../../kernel/bounded-input";
import { podFields } from "../pod-requests/pod-fields";
import { CodeEnv } from "../workers/code-env";
import { type FunctionRuntime, RUNTIMES } from "./function-runner";
import { ScheduleInput } from "./schedule";

const CODE_BYTES_MAX = 1024 * 1024;
const RETRIES_MAX = 5;

/** The version that runs is always kept. */
export const VERSIONS_KEPT = 50;
export const RESULT_BYTES_MAX = 1024 * 1024;

/** Of a request with code or a payload: up to 1 MiB, which JSON may escape. */
export const FUNCTION_INPUT_LIMITS = { ...INPUT_LIMITS, nodes: 50_000, bytes: CODE_BYTES_MAX + 128 * 1024 };

/** Of the pods of functions that name none. */
export const IMAGES = { node: "node:24-alpine", python: "python:3.14-alpine" } as const;
export const MEMORY_MB = 256;

const PYTHON_CODE = (entry: string): string => `# Returns the payload of the call. Deploy your own code to replace it.
def ${entry}(payload, context):
    print("called", context["invocation_id"])
    return payload
`;

/** The program of a function that was created without code. */
export const defaultCode = (entry: string, runtime: FunctionRuntime): string =>
  runtime === "python" ? PYTHON_CODE(entry) : javascriptCode(entry);

const javascriptCode = (
  entry: string,
): string => `// Returns the payload of the call. Deploy your own code to replace it.
async function run(payload, context) {
  console.log("called", context.invocation_id);
  return payload;
}

export { run as ${entry} };
`;

const FunctionName = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,80}$/, "expected 1 to 80 characters of A-Z a-z 0-9 . _ -, not . or ..")
  .refine((name) => !name.startsWith("fnc_"), 'must not begin with "fnc_", as ids of functions do')
  .describe("Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -`");

/** The fields that a client sends, without defaults. */
export const functionFields = {
  name: FunctionName,
  runtime: z
    .enum([...RUNTIMES, "js"])
    .describe(
      "What runs the code: `javascript` (or `js`) on workerd, `node` or `python` in a pod with an image of Node.js or Python",
    ),
  handler: z
    .string()
    .regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,79}$/, "expected the name of a function, such as default or resize")
    .describe("The name of the exported function that is called, default `default`"),
  backend: z
    .enum(["workerd", "pods"])
    .describe("Follows from `runtime`: `workerd` for `javascript`, `pods` for `node` and `python`"),
  image: podFields.image
    .describe(
      `The container image of a \`node\` or \`python\` function, with \`/bin/sh\`, \`sleep\` and \`node\` or \`python3\`; default \`${IMAGES.node}\` or \`${IMAGES.python}\``,
    )
    .meta({ examples: [IMAGES.python] }),
  memory_mb: podFields.memory_mb.describe(
    `Of the pod of a \`node\` or \`python\` function, in MiB: default ${MEMORY_MB}`,
  ),
  gpu: z.enum(["none"]).describe("`none`, because functions have no GPUs at present; pods have them"),
  code: z
    .string()
    .min(1, "expected the code of a module")
    .refine((code) => Buffer.byteLength(code) <= CODE_BYTES_MAX, "expected at most 1 MiB of UTF-8 text")
    .describe("A module of at most 1 MiB that has the function: JavaScript (ECMAScript) or Python"),
  env: CodeEnv.describe(
    'What the code finds in `context.env`: at most 100 texts, or references to secrets such as `{"secret": "SMTP_PASSWORD"}`, which are resolved at each call and require the scope `secrets:reveal`',
  ),
  timeout_ms: z
    .int()
    .min(1)
    .max(30_000)
    .describe("How long an invocation may take, in milliseconds: 1 to 30,000, default 10,000"),
  concurrency_max: z.int().min(1).max(100).describe("How many invocations run at once: 1 to 100, default 20"),
  schedule: ScheduleInput.nullable().describe("When svc calls the function; null: never"),
  retries_max: z
    .int()
    .min(0)
    .max(RETRIES_MAX)
    .describe(
      `How often an invocation that no client waits for runs again after it failed: 0 to ${RETRIES_MAX}, default 0. Such a function may take effect more than once`,
    ),
};

/** The part of a path that names a function. */
export const functionChoice = { id: IdText.min(1).describe("The id of the function, or its name for a key") };
