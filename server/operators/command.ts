import { z } from "zod";
import { notFound } from "../kernel/errors";
import type { BackupParts } from "./backup/create-backup";
import type { CommandResult, OperatorCtx } from "./operator-ctx";

/** A command for operators: its name, arguments and action. */
export interface Command {
  /** As typed on the command line: `quota set`. */
  name: string;
  usage: string;
  about: string;
  /** Flags without a value, in addition to --json and --help. */
  flags: readonly string[];
  /** Flags with a value. */
  texts: readonly string[];
  /** Throws `z.ZodError` if an argument is invalid. */
  bind: (typed: Typed) => Bound;
}

/** The parsed arguments after a command's name. */
export interface Typed {
  /** Positional arguments in order. */
  operands: readonly string[];
  flags: ReadonlySet<string>;
  /** Values of flags, by name. */
  texts: Readonly<Record<string, string>>;
}

type Bound = (open: Opens) => Promise<CommandResult>;

/** Resources that a command may open; nothing is opened before the command runs. */
export interface Opens {
  /** Runs `act` with the account system, and then closes everything that was opened for it. */
  withAccounts: <T>(act: (ctx: OperatorCtx) => Promise<T>) => Promise<T>;
  /** The installation and a progress function that receives one short line per step. */
  engines: () => Omit<BackupParts, "folder">;
}

interface Definition<I, T> extends Omit<Command, "bind" | "flags" | "texts"> {
  flags?: readonly string[];
  operands: z.ZodType<I>;
  /** The flags with a value; each is optional or has a default. */
  texts?: z.ZodObject & z.ZodType<T>;
  run: (ctx: OperatorCtx, operands: I, given: { flags: ReadonlySet<string>; texts: T }) => Promise<CommandResult>;
}

export const command = <I, T = unknown>({ operands, run, flags = [], texts, ...rest }: Definition<I, T>): Command => ({
  ...rest,
  flags,
  texts: Object.keys(texts?.shape ?? {}),
  bind: (typed) => {
    const input = operands.parse(typed.operands);
    const given = { flags: typed.flags, texts: texts?.parse(typed.texts) as T };
    return ({ withAccounts }) => withAccounts((ctx) => run(ctx, input, given));
  },
});

export const Tenant = z
  .string()
  .startsWith("ten_", "<tenant>: expected an id that begins with ten_ (see tenants list)");

export async function requireTenant({ db }: OperatorCtx, id: string): Promise<void> {
  if (!(await db.tenant.findUnique({ where: { id } }))) throw notFound("tenant", id);
}
