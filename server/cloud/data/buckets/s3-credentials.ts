import { createHmac } from "node:crypto";
import type { Counters } from "../../../engines/counters/counters";
import type { ApiKey as ApiKeyRow, PrismaClient } from "../../../engines/postgres/generated/client";
import { ACCESS_CHANGED } from "../../../identity/access-changed";
import { allowanceOf } from "../../../identity/api-keys/allowed-addresses";
import { KEY_ENDED, scopesOf } from "../../../identity/api-keys/api-key";
import type { Clock } from "../../../kernel/clock";
import { randomBase32 } from "../../../kernel/ids";
import { createLastUsed } from "../../../kernel/last-used";
import { ReadThrough } from "../../../kernel/read-through";
import { keyedHash } from "../../../kernel/secrets";
import { type Actor, type Mode, scopesOfRole } from "../../../operation/actor";

/** The longest time that a credential works after its key or its person lost access, in a process that missed the message. */
const REMEMBERED_MS = 10_000;
const KNOWN_MAX = 10_000;

/** `svck`, the id of an API key, a tag of its secret, a nonce; or `svcp`, the ids of a user and a project, the mode, and so on. */
const ACCESS_KEY_ID = /^svc(?:k([0-9a-z]{26})|p([0-9a-z]{26})([0-9a-z]{26})([lt]))([0-9a-f]{8})[a-z2-7]{8}$/;
const ID_DIGITS = 26;

/** What SigV4 signs with. */
export interface S3Credential {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Whose rights a credential has, and the stored hash that it ends with. */
export type CredentialHolder =
  | { kind: "key"; keyId: string; hash: string }
  | { kind: "person"; userId: string; projectId: string; mode: Mode; passwordHash: string };

export interface FoundCredential {
  /** The secrets that a signature may be made with. */
  secrets: readonly string[];
  actor: Actor;
  /** The project and mode that a person's credential was made for. */
  owner: { projectId: string; mode: Mode };
  /** Whether the API key may be used from an address. */
  allows: (address: string) => boolean;
  /** Notes the use of the API key; call it once the signature is verified. Returns at once. */
  recordUse: () => void;
}

export interface S3Credentials {
  /** Derives a credential with a new access key id; nothing is stored. */
  create(holder: CredentialHolder): S3Credential;
  /**
   * Returns the credential of an access key id, or undefined if the id is unknown or its holder has no access any more:
   * the key was revoked, has expired or was rotated (after the grace period), or the person left the tenant or changed
   * the password. A change is known to every process as soon as its message arrives, at the latest after 10 seconds.
   */
  find(accessKeyId: string): Promise<FoundCredential | undefined>;
  close(): Promise<void>;
}

interface S3CredentialsParts {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
  /** `deriveKey(secret, "s3")`. */
  key: Buffer;
}

/** What is known of a holder and one tag. */
interface Holder extends Omit<FoundCredential, "secrets" | "recordUse"> {
  hash: string;
  endsAtMs: number;
}

/**
 * S3 credentials are derived, not stored: the secret is an HMAC over the access key id and the stored hash of the API
 * key, so that a credential has exactly the life of the key's secret.
 */
export async function createS3Credentials(parts: S3CredentialsParts): Promise<S3Credentials> {
  const { db, clock, counters, key } = parts;
  const read = (subject: string) => readHolder(parts, subject);
  const holders = new ReadThrough<Holder>({ clock, read, freshMs: REMEMBERED_MS, max: KNOWN_MAX });
  const usage = createLastUsed({ clock, table: db.apiKey });
  const unsubscribes = [
    await counters.subscribe(KEY_ENDED, (hash) => {
      const tag = tagOf(key, hash);
      holders.forgetWhere((subject) => subject.endsWith(tag));
    }),
    await counters.subscribe(ACCESS_CHANGED, (userId) => {
      const person = `p${digitsOf(userId)}`;
      holders.forgetWhere((subject) => subject.startsWith(person));
    }),
  ];
  return {
    create: (holder) => {
      const accessKeyId = `svc${subjectOf(key, holder)}${randomBase32(8)}`;
      return { accessKeyId, secretAccessKey: secretOf(key, accessKeyId, hashOf(holder)) };
    },
    find: async (accessKeyId) => {
      if (!ACCESS_KEY_ID.test(accessKeyId)) return undefined;
      const holder = await holders.find(accessKeyId.slice("svc".length, -8));
      if (!holder || holder.endsAtMs <= clock.now().getTime()) return undefined;
      const { hash, endsAtMs: _, ...found } = holder;
      const { actor } = found;
      const recordUse = () => actor.kind === "key" && usage.note(actor.keyId);
      return { ...found, secrets: [secretOf(key, accessKeyId, hash)], recordUse };
    },
    close: async () => {
      for (const unsubscribe of unsubscribes) await unsubscribe();
      await usage.idle();
    },
  };
}

const secretOf = (key: Buffer, accessKeyId: string, hash: string): string =>
  createHmac("sha256", key).update(`${accessKeyId}\n${hash}`).digest("base64url");

/** Tells which of the two secrets of a key in its grace period is meant, without a database query. */
const tagOf = (key: Buffer, hash: string): string => keyedHash(key, `tag\n${hash}`).slice(0, 8);

const digitsOf = (id: string): string => id.slice(-ID_DIGITS);

const hashOf = (holder: CredentialHolder): string => (holder.kind === "key" ? holder.hash : holder.passwordHash);

/** The part of an access key id that names the holder; it is the key of the cache too. */
function subjectOf(key: Buffer, holder: CredentialHolder): string {
  const tag = tagOf(key, hashOf(holder));
  if (holder.kind === "key") return `k${digitsOf(holder.keyId)}${tag}`;
  const { userId, projectId, mode } = holder;
  return `p${digitsOf(userId)}${digitsOf(projectId)}${mode.charAt(0)}${tag}`;
}

async function readHolder(parts: S3CredentialsParts, subject: string): Promise<Holder | undefined> {
  const [, key, user = "", project = "", mode, tag = ""] = ACCESS_KEY_ID.exec(`svc${subject}aaaaaaaa`) ?? [];
  if (key !== undefined) return readKey(parts, `key_${key}`, tag);
  return readPerson(
    parts,
    { user: `usr_${user}`, project: `prj_${project}`, mode: mode === "l" ? "live" : "test" },
    tag,
  );
}

async function readKey({ db, key }: S3CredentialsParts, id: string, tag: string): Promise<Holder | undefined> {
  const row = await db.apiKey.findUnique({ where: { id } });
  if (!row || row.revokedAt) return undefined;
  const hash = [row.hash, row.previousHash].find((one) => one !== null && tagOf(key, one) === tag);
  if (hash == null) return undefined;
  const { tenantId, projectId, mode } = row;
  return {
    hash,
    endsAtMs: endOf(row, hash),
    actor: { kind: "key", keyId: row.id, tenantId, projectId, mode, scopes: new Set(scopesOf(row)) },
    owner: { projectId, mode },
    allows: allowanceOf(row.allowedAddresses),
  };
}

/** When a secret of a key ends, in milliseconds since 1970: with the key, or before that with the grace period. */
export function endOf({ hash, expiresAt, previousUntil }: ApiKeyRow, asked: string): number {
  const expiresAtMs = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return asked === hash ? expiresAtMs : Math.min(expiresAtMs, previousUntil?.getTime() ?? 0);
}

async function readPerson(
  { db, key }: S3CredentialsParts,
  { user, project, mode }: { user: string; project: string; mode: Mode },
  tag: string,
): Promise<Holder | undefined> {
  const found = await db.project.findUnique({ where: { id: project } });
  if (!found) return undefined;
  const membership = await db.membership.findUnique({
    where: { userId_tenantId: { userId: user, tenantId: found.tenantId } },
    include: { user: true },
  });
  if (!membership || tagOf(key, membership.user.passwordHash) !== tag) return undefined;
  const { role, tenantId } = membership;
  return {
    hash: membership.user.passwordHash,
    endsAtMs: Number.POSITIVE_INFINITY,
    actor: { kind: "person", tenantId, userId: user, sessionId: "", role, scopes: scopesOfRole(role) },
    owner: { projectId: project, mode },
    allows: () => true,
  };
}
