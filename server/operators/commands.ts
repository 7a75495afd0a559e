import path from "node:path";
import { z } from "zod";
import { verifyAudit } from "../identity/audit/verify-audit";
import { InviteByOperator, inviteByOperator } from "../identity/invitations/invite-by-operator";
import { quotasOf } from "../identity/quotas/list-quotas";
import { QUOTA_RESOURCES, QuotaName, quotaFields } from "../identity/quotas/quota";
import { setQuota } from "../identity/quotas/set-quota";
import { rotateSigningKey } from "../identity/session-tokens/rotate-signing-key";
import { readSignUpMode, setSignUpMode } from "../identity/sign-up-mode/sign-up-mode";
import { resetPasswordByOperator } from "../identity/users/reset-password-by-operator";
import { Email } from "../identity/users/user";
import { notFound } from "../kernel/errors";
import { type BackupParts, createBackup } from "./backup/create-backup";
import type { Manifest } from "./backup/manifest";
import { restoreBackup } from "./backup/restore-backup";
import { listAllTenants } from "./list-all-tenants";
import type { Answer, OperatorCtx } from "./operator-ctx";
import { table } from "./table";

const SOON = "Running processes follow within 10 seconds.";

/** A command of operators: what it is called, what it takes, what it does. */
export interface Command {
  /** As it is typed: `quota set`. */
  name: string;
  usage: string;
  about: string;
  /** Flags without a value, beside --json and --help. */
  flags: readonly string[];
  /** The operands in order; a flag has its own name. */
  bind: (operands: string[], flags: ReadonlySet<string>) => Bound;
}

/** Throws `z.ZodError` before this when an operand is wrong. */
type Bound = (open: Opens) => Promise<Answer>;

/** What a command may open; it opens nothing before it is run. */
export interface Opens {
  /** Runs something with the account system, and closes what it opened for that. */
  withAccounts: <T>(act: (ctx: OperatorCtx) => Promise<T>) => Promise<T>;
  /** The installation itself, and somebody who hears one short line a step. */
  engines: () => Omit<BackupParts, "folder">;
}

interface Definition<I> extends Omit<Command, "bind" | "flags"> {
  flags?: readonly string[];
  operands: z.ZodType<I>;
  run: (ctx: OperatorCtx, operands: I, flags: ReadonlySet<string>) => Promise<Answer>;
}

const command = <I>({ operands, run, flags = [], ...rest }: Definition<I>): Command => ({
  ...rest,
  flags,
  bind: (typed, given) => {
    const input = operands.parse(typed);
    return ({ withAccounts }) => withAccounts((ctx) => run(ctx, input, given));
  },
});

const backupCommand = (
  texts: Pick<Command, "name" | "about">,
  run: (parts: BackupParts) => Promise<Answer>,
): Command => ({
  ...texts,
  usage: "<folder>",
  flags: [],
  bind: (typed) => {
    const [folder] = Folder.parse(typed);
    return ({ engines }) => run({ ...engines(), folder: path.resolve(folder) });
  },
});

const Tenant = z.string().startsWith("ten_", "<tenant>: expected an id, which begins with ten_ (see tenants list)");
const Folder = z.tuple([z.string()], "expected one folder");
const Nothing = z.tuple([], "takes nothing more");
const Limit = z.coerce.number("<limit>: expected a whole number").int("<limit>: expected a whole number");

const LIFTABLE = QUOTA_RESOURCES.filter((resource) => quotaFields(resource).liftable !== null);

export const COMMANDS: readonly Command[] = [
  command({
    name: "reset-password",
    usage: "<email> [--link]",
    about: "sets a random password and ends every session; --link: makes a link that does it, once, within an hour",
    flags: ["link"],
    operands: z.tuple([Email]),
    run: async (ctx, [email], flags) => {
      const reset = await resetPasswordByOperator(ctx, { email, with: flags.has("link") ? "link" : "password" });
      const text = "link" in reset ? reset.link : `New password of ${reset.email}: ${reset.password}`;
      return { text, json: reset };
    },
  }),
  command({
    name: "invite",
    usage: "<email>",
    about: "makes a link to sign up with, for seven days",
    operands: z.tuple([Email]),
    run: async (ctx, [email]) => {
      const invitation = await inviteByOperator(ctx, InviteByOperator.parse({ email }));
      return { text: invitation.link, json: invitation };
    },
  }),
  command({
    name: "sign-up",
    usage: "open|invite|status",
    about: "says who may sign up: anybody, or who is invited; wins over SVC_SIGNUP",
    operands: z.tuple([z.enum(["open", "invite", "status"], "expected open, invite or status")]),
    run: (ctx, [mode]) => (mode === "status" ? signUpStatus(ctx) : changeSignUp(ctx, mode)),
  }),
  command({
    name: "tenants list",
    usage: "",
    about: "lists every tenant with its owner",
    operands: Nothing,
    run: async (ctx) => {
      const json = await listAllTenants(ctx, {});
      const rows = json.map((line) => [line.id, line.name, line.owner_email ?? "", line.created_at]);
      return { text: table(["ID", "NAME", "OWNER", "CREATED"], rows), json };
    },
  }),
  command({
    name: "quota list",
    usage: "<tenant>",
    about: "lists a tenant's limits and what is used of them",
    operands: z.tuple([Tenant]),
    run: async (ctx, [tenantId]) => {
      await requireTenant(ctx, tenantId);
      const json = await quotasOf(ctx, tenantId);
      const rows = json.map((quota) => [
        ...[quota.resource, `${quota.limit}`, quota.used === null ? "" : `${quota.used}`, `${quota.default_limit}`],
        quota.liftable ? "" : "fixed",
      ]);
      return { text: table(["RESOURCE", "LIMIT", "USED", "DEFAULT", ""], rows), json };
    },
  }),
  command({
    name: "quota set",
    usage: "<tenant> <resource> <limit>",
    about: `sets a tenant's limit; resources: ${LIFTABLE.join(", ")}`,
    operands: z.tuple([Tenant, QuotaName, Limit]),
    run: (ctx, [tenantId, resource, limit]) => changeQuota(ctx, { tenant_id: tenantId, resource, limit }),
  }),
  command({
    name: "quota reset",
    usage: "<tenant> <resource>",
    about: "gives a tenant the default limit again",
    operands: z.tuple([Tenant, QuotaName]),
    run: (ctx, [tenantId, resource]) => changeQuota(ctx, { tenant_id: tenantId, resource, limit: null }),
  }),
  command({
    name: "verify-audit",
    usage: "<tenant>|--all",
    about: "recomputes the chain of a tenant's audit log, or of all; exit status 1 when one was tampered with",
    flags: ["all"],
    operands: z.union([z.tuple([Tenant]), z.tuple([])], "expected a tenant's id, or --all"),
    run: verifyLogs,
  }),
  command({
    name: "rotate-signing-key",
    usage: "",
    about: "signs session tokens with a new key; tokens of the old one stay good for their hour",
    operands: Nothing,
    run: async (ctx) => {
      const json = await rotateSigningKey(ctx, {});
      return { text: `Session tokens are signed with key ${json.kid} from now on.`, json };
    },
  }),
  backupCommand(
    { name: "backup", about: "writes everything into a new folder, beside a running server or without one" },
    backUp,
  ),
  backupCommand(
    { name: "restore", about: "fills an empty installation, on which no server runs, from a backup" },
    restore,
  ),
];

async function backUp(parts: BackupParts): Promise<Answer> {
  const json = outcomeOf(parts, await createBackup(parts));
  const secret =
    json.secret === "in_backup"
      ? "It holds the installation's secret: keep it as safe as that."
      : "SVC_SECRET is not in it, and a restore needs the same one: keep it elsewhere.";
  return { text: `${sentence("Backed up", json)} ${secret}`, json };
}

async function restore(parts: BackupParts): Promise<Answer> {
  const json = outcomeOf(parts, await restoreBackup(parts));
  return { text: `${sentence("Restored", json)} Start svc now.`, json };
}

function outcomeOf({ folder }: BackupParts, { at, svc, secret, postgres, clickhouse, wal }: Manifest) {
  const files = [...postgres.tables, ...clickhouse.tables, ...wal];
  const rowsOf = (tables: { rows: number }[]) => tables.reduce((sum, { rows }) => sum + rows, 0);
  return {
    ...{ folder, at, svc, secret },
    rows: { postgres: rowsOf(postgres.tables), clickhouse: rowsOf(clickhouse.tables) },
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const sentence = (done: string, { folder, at, rows, bytes }: ReturnType<typeof outcomeOf>): string =>
  `${done} ${folder}, which shows ${at}: ${rows.postgres} rows of PostgreSQL, ${rows.clickhouse} of ClickHouse, ${(bytes / 1e6).toFixed(1)} MB.`;

async function signUpStatus({ db, configuredSignUp }: OperatorCtx): Promise<Answer> {
  const set = await readSignUpMode(db);
  const mode = set ?? configuredSignUp;
  const source = set ? "an operator" : "SVC_SIGNUP";
  return { text: `Sign-up: ${mode}, set by ${source}.`, json: { mode, set_by: set ? "operator" : "configuration" } };
}

async function changeSignUp(ctx: OperatorCtx, mode: "open" | "invite"): Promise<Answer> {
  await setSignUpMode(ctx, mode);
  return { text: `Sign-up: ${mode}. ${SOON}`, json: { mode, set_by: "operator" } };
}

async function changeQuota(ctx: OperatorCtx, input: Parameters<typeof setQuota>[1]): Promise<Answer> {
  const json = await setQuota(ctx, input);
  return { text: `The limit of ${input.tenant_id} is ${json.limit} ${json.unit}. ${SOON}`, json };
}

async function requireTenant({ db }: OperatorCtx, id: string): Promise<void> {
  if (!(await db.tenant.findUnique({ where: { id } }))) throw notFound("tenant", id);
}

async function verifyLogs(ctx: OperatorCtx, [one]: [string] | [], flags: ReadonlySet<string>): Promise<Answer> {
  if (one) await requireTenant(ctx, one);
  else if (!flags.has("all")) throw new Error("Name a tenant, or say --all.");
  const ids = one ? [one] : (await listAllTenants(ctx, {})).map(({ id }) => id);
  const json = [];
  for (const id of ids) json.push({ tenant_id: id, ...(await verifyAudit(ctx, id)) });
  const rows = json.map((log) => [
    ...[log.tenant_id, `${log.entries}`, log.head_hash],
    log.first_bad_sequence === null ? "valid" : `BROKEN at entry ${log.first_bad_sequence}`,
  ]);
  const text = table(["TENANT", "GOOD ENTRIES", "HEAD", "STATE"], rows);
  return { text, json, status: json.every(({ valid }) => valid) ? 0 : 1 };
}
