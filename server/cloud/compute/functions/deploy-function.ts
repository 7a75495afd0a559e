import { z } from "zod";
import { operation } from "../../cloud-operation";
import type { CodeEnv } from "../workers/code-env";
import { requireReveal } from "../workers/require-reveal";
import { findFunction, lockFunction } from "./find-function";
import { CloudFunction } from "./function";
import { EXAMPLE_CODE, functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { FUNCTION_INPUT_LIMITS, functionChoice, functionFields, VERSIONS_KEPT } from "./function-fields";
import { serveVersion } from "./store-version";

/**
 * Stores code as the next version, which every later invocation calls. Throws `not_found`, `unprocessable` (reason
 * `load_failed`) for code that does not load, `forbidden` for a function with secrets without `secrets:reveal`, and `unavailable`.
 */
export const deployFunction = operation({
  id: "deployFunction",
  summary: "Deploy code as the next version of a function",
  description:
    "The code is loaded first; one that fails is `unprocessable` and changes nothing. Every invocation that begins after the response calls the new version. The last 50 versions are kept.",
  access: "functions:write",
  takesLong: true,
  stores: true,
  idempotent: true,
  result: "created",
  inputLimits: FUNCTION_INPUT_LIMITS,
  input: z.strictObject({
    ...functionChoice,
    code: functionFields.code,
    handler: functionFields.handler.default("default"),
  }),
  output: CloudFunction,
  example: { input: { id: functionExample.id, code: EXAMPLE_CODE }, output: { ...functionExample, version: 2 } },
  run: async (ctx: FunctionCtx, { id: asked, code, handler: entry }) => {
    const found = await findFunction(ctx, asked);
    requireReveal(ctx.actor, found.env as CodeEnv);
    await ctx.functions.check(found, { code, entry });
    await ctx.storedBytes.take(found.tenantId, "functions", Buffer.byteLength(code));
    const functionId = found.id;
    return ctx.db.$transaction(async (tx) => {
      const before = await lockFunction(tx, functionId);
      const last = await tx.functionVersion.aggregate({ where: { functionId }, _max: { number: true } });
      const number = (last._max.number ?? 0) + 1;
      await tx.functionVersion.create({ data: { functionId, number, code, entry, createdAt: ctx.clock.now() } });
      await tx.functionVersion.deleteMany({ where: { functionId, number: { lte: number - VERSIONS_KEPT } } });
      return serveVersion(tx, ctx, { before, version: number });
    });
  },
});
