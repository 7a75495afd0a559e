import { Prisma, type PrismaClient } from "../../engines/postgres/generated/client";
import type { AgentTask, AgentTaskStatus, TaskHolder } from "./agent-task";

/** Four times the interval in which a process renews it. */
export const LEASE_MS = 20_000;

/** `failed` without an outcome: the process that ran it has ended. */
export interface AgentTaskRow extends Omit<AgentTask, "ttlMs"> {
  expiresAt: Date;
}

type Db = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;

const LEASE = Prisma.sql`now() + make_interval(secs => ${LEASE_MS / 1000}::float8)`;
/** Leases end by the clock of PostgreSQL, so that the clocks of machines do not count. */
const HAS_LEASE = Prisma.sql`status = 'working' AND lease_until > now()`;
const IS_LOST = Prisma.sql`status = 'working' AND lease_until <= now()`;
const COLUMNS = Prisma.sql`id, tool, is_error AS "isError", created_at AS "createdAt", expires_at AS "expiresAt",
  CASE WHEN ${IS_LOST} THEN 'failed' ELSE status END AS status,
  CASE WHEN ${IS_LOST} THEN lease_until ELSE updated_at END AS "updatedAt"`;

interface NewTask extends TaskHolder {
  id: string;
  tool: string;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertTask(db: Db, { id, tenantId, holder, tool, createdAt, expiresAt }: NewTask): Promise<void> {
  await db.$executeRaw`
    INSERT INTO agent_tasks (id, tenant_id, holder, tool, status, created_at, updated_at, expires_at, lease_until)
    VALUES (${id}, ${tenantId}, ${holder}, ${tool}, 'working', ${createdAt}, ${createdAt}, ${expiresAt}, ${LEASE})`;
}

/** A task that has not expired; `withOutcome` also with what it ended with. */
export async function selectTask(
  db: Db,
  { tenantId, holder }: TaskHolder,
  { id, now, withOutcome }: { id: string; now: Date; withOutcome: boolean },
): Promise<(AgentTaskRow & { sealedOutcome: string | null }) | undefined> {
  const outcome = withOutcome ? Prisma.sql`sealed_outcome` : Prisma.sql`NULL`;
  const [row] = await db.$queryRaw<(AgentTaskRow & { sealedOutcome: string | null })[]>`
    SELECT ${COLUMNS}, ${outcome} AS "sealedOutcome" FROM agent_tasks
    WHERE id = ${id} AND tenant_id = ${tenantId} AND holder = ${holder} AND expires_at > ${now}`;
  return row;
}

interface TaskQuery {
  now: Date;
  /** Tools whose tasks are left out. */
  hidden: readonly string[];
  after: string | undefined;
  take: number;
}

/** Tasks that have not expired, the newest first. */
export const selectTasks = (
  db: Db,
  { tenantId, holder }: TaskHolder,
  { now, hidden, after, take }: TaskQuery,
): Promise<AgentTaskRow[]> => db.$queryRaw<AgentTaskRow[]>`
  SELECT ${COLUMNS} FROM agent_tasks
  WHERE tenant_id = ${tenantId} AND holder = ${holder} AND expires_at > ${now} AND tool <> ALL(${hidden}::text[])
    ${after === undefined ? Prisma.empty : Prisma.sql`AND id < ${after}`}
  ORDER BY id DESC LIMIT ${take}`;

interface Ended {
  id: string;
  status: AgentTaskStatus;
  isError: boolean;
  sealedOutcome: string | null;
  bytes: number;
  now: Date;
}

/** Ends a task that runs; false: it has ended, expired or lost its lease before, and is unchanged. */
export async function endTask(db: Db, { id, status, isError, sealedOutcome, bytes, now }: Ended): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE agent_tasks
    SET status = ${status}, is_error = ${isError}, sealed_outcome = ${sealedOutcome}, bytes = ${bytes}, updated_at = ${now}
    WHERE id = ${id} AND ${HAS_LEASE} AND expires_at > ${now}`;
  return changed === 1;
}

/** Renews the leases of tasks and returns which of them still run. */
export async function renewTasks(db: Db, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE agent_tasks SET lease_until = ${LEASE}
    WHERE id = ANY(${ids}::text[]) AND ${HAS_LEASE} AND expires_at > ${now} RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Which of some tasks still run, in whatever process. */
export async function selectRunning(db: Db, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM agent_tasks WHERE id = ANY(${ids}::text[]) AND ${HAS_LEASE} AND expires_at > ${now}`;
  return rows.map(({ id }) => id);
}
