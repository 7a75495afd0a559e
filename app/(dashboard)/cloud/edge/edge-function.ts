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

export const CODE_HINT =
  "A JavaScript module whose default export is an object with fetch(request, env, ctx), which returns a Response.";

/** Reads the bindings of a form. Throws FieldError for text that is no list. */
export function bindingsOf(text: string): Bindings {
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
