import { textIn } from "../../../components/form/read-fields";
import type { Outputs } from "../../../trpc/client";
import { FieldError } from "../../../trpc/failure";

export type EdgeFunction = Outputs["getEdgeFunction"];
export type SmokeRun = EdgeFunction["smoke"];
export type Bindings = EdgeFunction["bindings"];

/** The program of the form for a new edge function. */
export const FIRST_CODE = `export default {
  async fetch(request, env, ctx) {
    console.log("asked for", new URL(request.url).pathname);
    return new Response("Hello from the edge");
  },
};
`;

/** What is tried and published, for the forms of a new edge function and of its next version. */
export const versionFields = ({ code, bindings }: { code: string; bindings: Bindings }) => ({
  code: {
    as: "code" as const,
    rows: 12,
    value: code,
    hint: "A JavaScript module whose default export is an object with fetch(request, env, ctx), which returns a Response.",
  },
  bindings: {
    as: "code" as const,
    rows: 4,
    optional: true,
    value: JSON.stringify(bindings, null, 2),
    hint: "A JSON list of KV namespaces, buckets, queues and SQL databases in env of the code.",
    read: (fields: FormData) => bindingsOf(textIn(fields, "bindings")),
  },
});

/** Throws FieldError for text that is no list. */
function bindingsOf(text: string): Bindings {
  if (text === "") return [];
  try {
    const value = JSON.parse(text) as unknown;
    if (Array.isArray(value)) return value as Bindings;
  } catch {
    // Neither is a list.
  }
  throw new FieldError(
    "bindings",
    'Enter a JSON list, such as [{"type": "kv", "name": "CACHE", "namespace": "cache"}].',
  );
}
