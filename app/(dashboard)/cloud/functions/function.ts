import type { Outputs } from "../../../trpc/client";

export type CloudFunction = Outputs["getFunction"];
export type Invocation = Outputs["getFunctionInvocation"];

export type Runtime = CloudFunction["runtime"];

const JAVASCRIPT = `export default async function (payload, context) {
  console.log("called", context.invocation_id);
  return { hello: payload?.name ?? "world" };
}
`;

const PYTHON = `def default(payload, context):
    print("called", context["invocation_id"])
    return {"hello": (payload or {}).get("name", "world")}
`;

/** The programs of the form for a new function. */
export const FIRST_CODE: Readonly<Record<Runtime, string>> = {
  javascript: JAVASCRIPT,
  node: JAVASCRIPT,
  python: PYTHON,
};

/** The module, for the forms of a new function and of its next version. */
export const codeField = (code: string) => ({
  as: "code" as const,
  rows: 12,
  value: code,
  hint: "A module whose function is called with the payload and a context, and returns a JSON value.",
});
