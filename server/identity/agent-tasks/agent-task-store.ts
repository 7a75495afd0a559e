import type { PrismaClient } from "../../engines/postgres/generated/client";
import { lockNameIn } from "../../engines/postgres/named-lock";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { exactJson, parseExact } from "../../kernel/exact-number";
import { newId } from "../../kernel/ids";
import { seal, unseal } from "../../kernel/secrets";
import {
  AGENT_TASK_ID_PREFIX,
  type AgentTask,
  type AgentTaskOutcome,
  type AgentTaskStatus,
  type TaskHolder,
} from "./agent-task";
import {
  type AgentTaskRow,
  endTask,
  insertTask,
  renewTasks,
  selectRunning,
  selectTask,
  selectTasks,
} from "./agent-tasks.sql";

/** Tasks that a tenant has at once, with those that have ended and not expired. */
const TASKS_MAX = 1000;
/** Stored results of a tenant, sealed, beyond which no task begins; those that run can still add to them. */
const BYTES_MAX = 64 * 1024 * 1024;
/** Deleted by the tenant's next task; the hourly sweep deletes the others. */
const EXPIRED_ROWS = 1000;
/** What a task ends with when its process did. */
const LOST: AgentTaskOutcome = {
  error: {
    code: -32_603,
    message:
      "The process of svc that ran this task has ended, and svc cannot know whether the call had finished. Look at what it was to change before you repeat it; with the same idempotency key nothing is created twice.",
    data: { code: "unavailable", details: { reason: "task_lost" } },
  },
};

interface Parts {
  db: PrismaClient;
  clock: Clock;
  sealingKey: Buffer;
}

/**
 * Tasks of agents. A task ends once and is the same in every process; one whose process no longer renews its lease has
 * failed.
 */
export class AgentTaskStore {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws `rate_limited` when the tenant has too many tasks, or too many bytes of results. */
  async create(asked: TaskHolder & { tool: string; ttlMs: number }): Promise<AgentTask> {
    const { db, clock } = this.#parts;
    const { tenantId, tool, ttlMs } = asked;
    const createdAt = clock.now();
    const id = newId(AGENT_TASK_ID_PREFIX, createdAt.getTime());
    const expiresAt = new Date(createdAt.getTime() + ttlMs);
    await db.$transaction(async (tx) => {
      await lockNameIn(tx, `tasks of agents of ${tenantId}`);
      await tx.agentTask.deleteMany({ where: { tenantId, expiresAt: { lte: createdAt } }, limit: EXPIRED_ROWS });
      const { _count, _sum } = await tx.agentTask.aggregate({
        where: { tenantId },
        _count: true,
        _sum: { bytes: true },
      });
      if (_count >= TASKS_MAX || (_sum.bytes ?? 0) >= BYTES_MAX) throw tooMany();
      await insertTask(tx, { ...asked, id, createdAt, expiresAt });
    });
    return { id, tool, ttlMs, createdAt, updatedAt: createdAt, status: "working", isError: false };
  }

  /** Undefined: the holder has no such task, or it has expired. */
  async stateOf(holder: TaskHolder, id: string): Promise<AgentTask | undefined> {
    const { db, clock } = this.#parts;
    const row = await selectTask(db, holder, { id, now: clock.now(), withOutcome: false });
    return row && taskOf(row);
  }

  /** The same with what it ended with. The outcome is absent while it runs and when it was cancelled. */
  async find(holder: TaskHolder, id: string): Promise<{ task: AgentTask; outcome?: AgentTaskOutcome } | undefined> {
    const { db, clock, sealingKey } = this.#parts;
    const row = await selectTask(db, holder, { id, now: clock.now(), withOutcome: true });
    if (!row) return undefined;
    const task = taskOf(row);
    if (row.sealedOutcome === null) return task.status === "failed" ? { task, outcome: LOST } : { task };
    const text = unseal(sealingKey, row.sealedOutcome, id);
    if (text === undefined) throw new Error("The result of a task cannot be decrypted.");
    return { task, outcome: parseExact(text) as AgentTaskOutcome };
  }

  /** The newest first. Tasks of the tools in `hidden` are left out. */
  async list(
    holder: TaskHolder,
    position: { hidden: readonly string[]; after: string | undefined; take: number },
  ): Promise<AgentTask[]> {
    const { db, clock } = this.#parts;
    return (await selectTasks(db, holder, { ...position, now: clock.now() })).map(taskOf);
  }

  /** Ends a task that runs; false: it has ended before, and is unchanged. Without an outcome it was cancelled. */
  async end(id: string, outcome?: AgentTaskOutcome): Promise<boolean> {
    const { db, clock, sealingKey } = this.#parts;
    const sealedOutcome = outcome ? seal(sealingKey, exactJson(outcome), id) : null;
    const ended = { ...statusOf(outcome), sealedOutcome, bytes: sealedOutcome?.length ?? 0 };
    return endTask(db, { ...ended, id, now: clock.now() });
  }

  /** Renews the leases of tasks; returns those that still run. */
  async renew(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await renewTasks(this.#parts.db, ids, this.#parts.clock.now()));
  }

  /** Which of these tasks still run, in any process. */
  async running(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await selectRunning(this.#parts.db, ids, this.#parts.clock.now()));
  }
}

function statusOf(outcome: AgentTaskOutcome | undefined): { status: AgentTaskStatus; isError: boolean } {
  if (!outcome) return { status: "cancelled", isError: false };
  if ("error" in outcome) return { status: "failed", isError: false };
  return { status: "completed", isError: outcome.result.isError === true };
}

const taskOf = ({ expiresAt, ...row }: AgentTaskRow): AgentTask => ({
  id: row.id,
  tool: row.tool,
  status: row.status,
  isError: row.isError,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ttlMs: expiresAt.getTime() - row.createdAt.getTime(),
});

const tooMany = (): ServiceError =>
  new ServiceError(
    "rate_limited",
    `A tenant can have ${TASKS_MAX} tasks and ${BYTES_MAX / 1024 / 1024} MiB of their results until they expire. Call the tool without a task, or begin tasks with a shorter ttl.`,
    { retryAfterSeconds: 60, details: { reason: "tasks" } },
  );
