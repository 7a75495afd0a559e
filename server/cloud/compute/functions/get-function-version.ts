import { z } from "zod";
import { operation } from "../../cloud-operation";
import { findFunction } from "./find-function";
import { EXAMPLE_CODE, functionExample, versionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";
import { FunctionVersionWithCode, noSuchVersion, toVersion } from "./function-version";

/** Returns a version with its code. Throws `not_found` for the function and the version. */
export const getFunctionVersion = operation({
  id: "getFunctionVersion",
  summary: "Get a version of a function, with its code",
  access: "functions:read",
  input: z.strictObject({
    ...functionChoice,
    version: z.coerce.number().int().min(1).describe("The number of the version"),
  }),
  output: FunctionVersionWithCode,
  example: {
    input: { id: functionExample.id, version: 1 },
    output: { ...versionExample, code: EXAMPLE_CODE },
  },
  run: async (ctx: FunctionCtx, { id, version }) => {
    const { id: functionId } = await findFunction(ctx, id);
    const where = { functionId_number: { functionId, number: version } };
    const row = await ctx.db.functionVersion.findUnique({ where });
    if (!row) throw noSuchVersion(version);
    return { ...toVersion(row), code: row.code };
  },
});
