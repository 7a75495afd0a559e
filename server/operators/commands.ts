import path from "node:path";
import { z } from "zod";
import { rewrapObjectKeys } from "../cloud/data/objects/rewrap-object-keys";
import { rotateMasterKey } from "../cloud/data/secrets/rotate-master-key";
import { verifyChain } from "../identity/audit/verify-audit";
import { InviteByOperator, inviteByOperator } from "../identity/invitations/invite-by-operator";
import { issueLogInCodeByOperator } from "../identity/log-ins/issue-log-in-code-by-operator";
import { resetPasswordByOperator } from "../identity/passwords/reset-password-by-operator";
import { quotasOf } from "../identity/quotas/list-quotas";
import { setQuota } from "../identity/quotas/set-quota";
import { rotateSigningKey } from "../identity/session-tokens/rotate-signing-key";
import { readSignUpMode, setSignUpMode } from "../identity/sign-up/sign-up-mode";
import { Email } from "../identity/users/user";
import { ADS_COMMANDS } from "./ads-commands";
import { type BackupParts, createBackup } from "./backup/create-backup";
import type { Manifest } from "./backup/manifest";
import { restoreBackup } from "./backup/restore-backup";
import { CHECK_COMMANDS } from "./check-commands";
import { CLAW_BACK_COMMANDS } from "./claw-back-commands";
import { type Command, command, requireTenant, Tenant } from "./command";
import { FLEET_UPGRADE_COMMANDS } from "./fleet-upgrade-commands";
import { GPU_NODE_COMMANDS } from "./gpu-node-commands";
import { listAllTenants } from "./list-all-tenants";
import { NODE_COMMANDS } from "./node-commands";
import type { CommandResult, OperatorCtx } from "./operator-ctx";
import { table } from "./table";
import { TENANT_COMMANDS } from "./tenant-commands";

const SOON = "Takes effect within 10 seconds.";

const backupCommand = (
  texts: Pick<Command, "name" | "about">,
  run: (parts: BackupParts) => Promise<CommandResult>,
): Command => ({
  ...texts,
  usage: "<folder>",
  flags: [],
  texts: [],
  bind: ({ operands }) => {
    const [folder] = Folder.parse(operands);
    return ({ engines }) => run({ ...engines(), folder: path.resolve(folder) });
  },
});

const Folder = z.tuple([z.string()], "expected one directory");
const Nothing = z.tuple([], "expected no arguments");
const Limit = z.coerce.number("<limit>: expected a whole number").int("<limit>: expected a whole number");

const Resource = z.string().min(1);

export const COMMANDS: readonly Command[] = [
  command({
    name: "reset-password",
    usage: "<email> [--link]",
    about: "sets a random password and ends every session; --link creates a one-time link, valid for an hour",
    flags: ["link"],
    operands: z.tuple([Email]),
    run: async (ctx, [email], { flags }) => {
      const reset = await resetPasswordByOperator(ctx, { email, with: flags.has("link") ? "link" : "password" });
      const text = "link" in reset ? reset.link : `New password for ${reset.email}: ${reset.password}`;
      return { text, json: reset };
    },
  }),
  command({
    name: "log-in-code",
    usage: "<email>",
    about:
      "creates a code, valid for ten minutes, that a login requires while the password of the account is being guessed's password",
    operands: z.tuple([Email]),
    run: async (ctx, [email]) => {
      const json = await issueLogInCodeByOperator(ctx, { email });
      return { text: `Login code for ${json.email}, valid until ${json.expires_at}: ${json.code}`, json };
    },
  }),
  command({
    name: "invite",
    usage: "<email>",
    about: "creates a sign-up link, valid for seven days",
    operands: z.tuple([Email]),
    run: async (ctx, [email]) => {
      const invitation = await inviteByOperator(ctx, InviteByOperator.parse({ email }));
      return { text: invitation.link, json: invitation };
    },
  }),
  command({
    name: "sign-up",
    usage: "open|invite|status",
    about: "sets who may sign up: anyone, or only invited people; overrides SVC_SIGNUP",
    operands: z.tuple([z.enum(["open", "invite", "status"], "expected open, invite or status")]),
    run: (ctx, [mode]) => (mode === "status" ? signUpStatus(ctx) : changeSignUp(ctx, mode)),
  }),
  ...TENANT_COMMANDS,
  command({
    name: "quota list",
    usage: "<tenant>",
    about: "lists a tenant's limits and their usage",
    operands: z.tuple([Tenant]),
    run: async (ctx, [tenantId]) => {
      await requireTenant(ctx, tenantId);
      const json = await quotasOf(ctx, tenantId);
      const rows = json.map((quota) => [
        quota.resource,
        `${quota.limit}`,
        quota.used === null ? "" : `${quota.used}`,
        `${quota.default_limit}`,
        quota.liftable ? "" : "fixed",
      ]);
      return { text: table(["RESOURCE", "LIMIT", "USED", "DEFAULT", ""], rows), json };
    },
  }),
  command({
    name: "quota set",
    usage: "<tenant> <resource> <limit>",
    about: "sets a limit of a tenant; quota list shows the resources",
    operands: z.tuple([Tenant, Resource, Limit]),
    run: (ctx, [tenantId, resource, limit]) => changeQuota(ctx, { tenant_id: tenantId, resource, limit }),
  }),
  command({
    name: "quota reset",
    usage: "<tenant> <resource>",
    about: "restores the default limit of a tenant",
    operands: z.tuple([Tenant, Resource]),
    run: (ctx, [tenantId, resource]) => changeQuota(ctx, { tenant_id: tenantId, resource, limit: null }),
  }),
  ...ADS_COMMANDS,
  ...CLAW_BACK_COMMANDS,
  ...GPU_NODE_COMMANDS,
  ...FLEET_UPGRADE_COMMANDS,
  ...NODE_COMMANDS,
  ...CHECK_COMMANDS,
  command({
    name: "verify-audit",
    usage: "<tenant>|--all",
    about: "verifies the hash chain of one or all tenants' audit logs; exit status 1 if one was tampered with",
    flags: ["all"],
    operands: z.union([z.tuple([Tenant]), z.tuple([])], "expected a tenant id or --all"),
    run: verifyLogs,
  }),
  command({
    name: "rotate-signing-key",
    usage: "",
    about: "signs session tokens with a new key; tokens of the old key stay valid until they expire within an hour",
    operands: Nothing,
    run: async (ctx) => {
      const json = await rotateSigningKey(ctx, {});
      return { text: `New session tokens are signed with key ${json.kid}.`, json };
    },
  }),
  command({
    name: "rotate-master-key",
    usage: "",
    about:
      "creates a version of the master key and encrypts the data keys of all tenants' secrets with it, also while svc runs; run it again after an interruption. SVC_SECRET itself must stay the same: master keys are derived from it, and it also encrypts signing secrets of webhooks, logins of feeds and keys of session tokens",
    operands: Nothing,
    run: rotateSecrets,
  }),
  command({
    name: "rewrap-object-keys",
    usage: "",
    about:
      "after SVC_SECRET has changed: encrypts the data keys of objects under it that are still encrypted under SVC_SECRET_PREVIOUS, also while svc runs; run it again after an interruption. Contents of objects are not rewritten",
    operands: Nothing,
    run: rewrapKeys,
  }),
  backupCommand(
    { name: "backup", about: "writes a full backup to a new directory, with or without a running server" },
    backUp,
  ),
  backupCommand(
    { name: "restore", about: "restores a backup into an empty installation without a running server" },
    restore,
  ),
];

async function backUp(parts: BackupParts): Promise<CommandResult> {
  const json = outcomeOf(parts, await createBackup(parts));
  const secret =
    json.secret === "in_backup"
      ? "It contains the installation's secret: store it in a safe place."
      : "It does not contain SVC_SECRET, which a restore requires: store the secret elsewhere.";
  return { text: `${sentence("Backed up", json)} ${secret}`, json };
}

async function restore(parts: BackupParts): Promise<CommandResult> {
  const json = outcomeOf(parts, await restoreBackup(parts));
  return { text: `${sentence("Restored", json)} Start svc now.`, json };
}

function outcomeOf({ folder }: BackupParts, { at, svc, secret, postgres, clickhouse, wal }: Manifest) {
  const files = [...postgres.tables, ...clickhouse.tables, ...wal];
  const rowsOf = (tables: { rows: number }[]) => tables.reduce((sum, { rows }) => sum + rows, 0);
  return {
    folder,
    at,
    svc,
    secret,
    rows: { postgres: rowsOf(postgres.tables), clickhouse: rowsOf(clickhouse.tables) },
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const sentence = (done: string, { folder, at, rows, bytes }: ReturnType<typeof outcomeOf>): string =>
  `${done} ${folder}, state of ${at}: ${rows.postgres} rows in PostgreSQL, ${rows.clickhouse} in ClickHouse, ${(bytes / 1e6).toFixed(1)} MB.`;

async function rotateSecrets(ctx: OperatorCtx): Promise<CommandResult> {
  const json = await rotateMasterKey(ctx, ctx.progress);
  const resumed = json.resumed ? "Completed a rotation that had begun. " : "";
  const text = `${resumed}The master key is version ${json.version}; ${json.rewrapped} data keys were encrypted with it, and older versions are retired. This covers the values under /v1/secrets only; keep SVC_SECRET, which the master key and everything else depend on.`;
  return { text, json };
}

async function rewrapKeys(ctx: OperatorCtx): Promise<CommandResult> {
  const json = await rewrapObjectKeys(ctx, ctx.progress);
  const lost =
    json.unreadable === 0
      ? "SVC_SECRET_PREVIOUS is no longer needed for objects, once every process runs with the new SVC_SECRET."
      : `${json.unreadable} are encrypted under another secret: set SVC_SECRET_PREVIOUS to that one and run it again.`;
  const text = `${json.rewrapped} data keys of objects were encrypted under SVC_SECRET. ${lost}`;
  return { text, json, status: json.unreadable === 0 ? 0 : 1 };
}

async function signUpStatus({ db, configuredSignUp }: OperatorCtx): Promise<CommandResult> {
  const set = await readSignUpMode(db);
  const mode = set ?? configuredSignUp;
  const source = set ? "an operator" : "SVC_SIGNUP";
  return { text: `Sign-up: ${mode}, set by ${source}.`, json: { mode, set_by: set ? "operator" : "configuration" } };
}

async function changeSignUp(ctx: OperatorCtx, mode: "open" | "invite"): Promise<CommandResult> {
  await setSignUpMode(ctx, mode);
  return { text: `Sign-up: ${mode}. ${SOON}`, json: { mode, set_by: "operator" } };
}

async function changeQuota(ctx: OperatorCtx, input: Parameters<typeof setQuota>[1]): Promise<CommandResult> {
  const json = await setQuota(ctx, input);
  return { text: `The limit of ${input.tenant_id} is ${json.limit} ${json.unit}. ${SOON}`, json };
}

async function verifyLogs(
  ctx: OperatorCtx,
  [one]: [string] | [],
  { flags }: { flags: ReadonlySet<string> },
): Promise<CommandResult> {
  if (one) await requireTenant(ctx, one);
  else if (!flags.has("all")) throw new Error("Specify a tenant or --all.");
  const ids = one ? [one] : (await listAllTenants(ctx, {})).map(({ id }) => id);
  const json = [];
  for (const id of ids) json.push({ tenant_id: id, ...(await verifyChain(ctx.db, id)) });
  const rows = json.map((log) => [
    log.tenant_id,
    `${log.entries}`,
    log.head_hash,
    log.first_bad_sequence === null ? "valid" : `BROKEN at entry ${log.first_bad_sequence}`,
  ]);
  const text = table(["TENANT", "GOOD ENTRIES", "HEAD", "STATE"], rows);
  return { text, json, status: json.every(({ valid }) => valid) ? 0 : 1 };
}
