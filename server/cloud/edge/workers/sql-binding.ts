import { z } from "zod";
import { kindOf } from "../../../engines/tenant-sql/statement";
import type { StatementResult } from "../../../engines/tenant-sql/tenant-connection";
import type { BindingCtx, BindingMethods } from "./binding-methods";
import type { Binding } from "./edge-fields";

const SQL_CHARACTERS_MAX = 100_000;
const PARAMS_MAX = 1000;
const STATEMENTS_MAX = 100;

/** PostgreSQL has neither NUL nor half of a surrogate pair, which would be replaced. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
const STORABLE = "expected UTF-8 without NUL";

const Run = z.strictObject({
  statements: z
    .array(
      z.strictObject({
        sql: z.string().max(SQL_CHARACTERS_MAX).refine(isStorable, STORABLE),
        params: z.array(z.string().refine(isStorable, STORABLE).nullable()).max(PARAMS_MAX),
      }),
    )
    .min(1)
    .max(STATEMENTS_MAX),
});

/** Statements run in one transaction. A smoke run only reads; what changes something is checked and not run. */
export const sqlMethods = (ctx: BindingCtx, { database }: Extract<Binding, { type: "sql" }>): BindingMethods => ({
  run: async ({ args }, { isSmokeRun }) => {
    const { statements } = Run.parse(args);
    const kinds = statements.map(({ sql }) => kindOf(sql));
    if (isSmokeRun && kinds.some((kind) => kind !== "read")) return { result: statements.map(() => NOTHING) };
    return { result: await ctx.databases.run(ctx.owner, database, statements) };
  },
});

const NOTHING: StatementResult = { columns: [], rows: [], changes: 0 };
