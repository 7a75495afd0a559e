import { z } from "zod";
import { operation } from "../../cloud-operation";
import { findFunction } from "./find-function";
import { CloudFunction, toFunction } from "./function";
import { functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";

/** Returns a function, without its code. Throws `not_found`. */
export const getFunction = operation({
  id: "getFunction",
  summary: "Get a function",
  access: "functions:read",
  input: z.strictObject(functionChoice),
  output: CloudFunction,
  example: { input: { id: functionExample.id }, output: functionExample },
  run: async (ctx: FunctionCtx, { id }) => toFunction(await findFunction(ctx, id)),
});
