import { z } from "zod";
import { operation } from "../../cloud-operation";
import type { CodeEnv } from "../workers/code-env";
import { requireReveal } from "../workers/require-reveal";
import { findFunction, lockFunction } from "./find-function";
import { CloudFunction, toFunction } from "./function";
import { functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";
import { noSuchVersion } from "./function-version";
import { serveVersion } from "./store-version";

/** Makes an earlier version the one that is called. Throws `not_found` for the function and the version. */
export const restoreFunctionVersion = operation({
  id: "restoreFunctionVersion",
  summary: "Roll back a function to an earlier version",
  description: "Every invocation that begins after the response calls that version. Later versions are kept.",
  access: "functions:write",
  takesLong: true,
  stores: true,
  input: z.strictObject({
    ...functionChoice,
    version: z.int().min(1).describe("The number of a version that is kept"),
  }),
  output: CloudFunction,
  example: { input: { id: functionExample.id, version: 1 }, output: functionExample },
  run: async (ctx: FunctionCtx, { id: asked, version }) => {
    const { id } = await findFunction(ctx, asked);
    return ctx.db.$transaction(async (tx) => {
      const before = await lockFunction(tx, id);
      requireReveal(ctx.actor, before.env as CodeEnv);
      const where = { functionId_number: { functionId: id, number: version } };
      if (!(await tx.functionVersion.findUnique({ where, select: { number: true } }))) throw noSuchVersion(version);
      return before.version === version ? toFunction(before) : serveVersion(tx, ctx, { before, version });
    });
  },
});
