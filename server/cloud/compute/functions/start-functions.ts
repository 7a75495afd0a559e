import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counters } from "../../../engines/counters/counters";
import type { MinuteTasks, Tasks } from "../../../engines/jobs/start-jobs";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Workerd } from "../../../engines/workerd/workerd";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { FunctionPods } from "../function-pods/function-pods";
import type { FunctionPodsCtx } from "../function-pods/pod-of-version";
import type { CodeEnv } from "../workers/code-env";
import { beginSchedules } from "./begin-schedules";
import type { Outcome } from "./function-runner";
import { FunctionRuns } from "./function-runs";
import {
  type ClaimedInvocation,
  claimInvocations,
  countInvocations,
  failAbandoned,
  forgetInvocations,
  INVOCATIONS,
  NEXT_INVOCATION,
  requeueInvocation,
} from "./functions.sql";
import { endedFields, meteredFields, waitingFields } from "./invocation-row";
import { failedOutcome } from "./run-outcome";

const TOPIC = "functions";
/** Until an invocation that no process could begin is tried again. */
const BUSY_MS = 1000;
/** In one process, of which one tenant alone gets a third. */
const RUNNING_MAX = 48;
/** Before the first retry; twice as long before each further one. */
const RETRY_MS = 10_000;
/** Failures of the version and its settings, which another run would have as well. */
const LASTING = new Set(["load_failed", "no_such_secret"]);
const KEPT_MS = 24 * 3_600_000;
const KEPT_OF_FUNCTION = 1000;
/** Longer than usage is measured again. */
const HOURS_KEPT_MS = 15 * KEPT_MS;
const UPKEEP = "maintain_function_invocations";

export const FUNCTIONS_EVERY_MINUTE: MinuteTasks = {
  [UPKEEP]: "SELECT FROM function_invocations UNION ALL SELECT FROM function_hours",
};

interface FunctionWork {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  functions: FunctionRuns;
}

export interface StartFunctions extends Omit<FunctionWork, "functions"> {
  counters: Pick<Counters, "reserve" | "release">;
  podsCtx: FunctionPodsCtx;
  workerd: Pick<Workerd, "call">;
  secretsKey: Buffer;
  rootDir: string;
  roles: ReadonlySet<string>;
}

/** Opens what runs functions, and in workers begins the invocations that no client waits for. */
export function startFunctions({ counters, workerd, podsCtx, secretsKey, rootDir, roles, ...work }: StartFunctions) {
  const pods = new FunctionPods(podsCtx, rootDir);
  const runs = new FunctionRuns({ workerd, pods, sql: work.sql, counters, secretsKey, rootDir });
  const invocations = roles.has("worker") ? startInvocations({ ...work, functions: runs }) : undefined;
  return {
    runs,
    stop: async () => {
      await invocations?.stop();
      pods.close();
    },
  };
}

/** Runs the invocations that no client waits for, until `stop`, which lets those that run end. */
function startInvocations(work: FunctionWork): { stop(): Promise<void> } {
  /** With the tenant of each. */
  const running = new Map<Promise<void>, string>();
  const begin = (claimed: ClaimedInvocation): void => {
    const run = runClaimed(work, claimed).catch((err: unknown) => {
      work.log.warn({ err, invocation: claimed.id }, "cannot run an invocation of a function");
    });
    running.set(run, claimed.tenantId);
    void run.then(() => {
      const wasFull = running.size >= RUNNING_MAX;
      running.delete(run);
      if (wasFull) work.alarms.wake(TOPIC);
    });
  };
  const beginDue = async () => {
    const hasMore = await beginSchedules(work.sql, work.clock.now());
    const max = RUNNING_MAX - running.size;
    const limits = { now: work.clock.now(), max, running: countsOf(running.values()) };
    const claimed = max > 0 ? await claimInvocations(work.sql, limits) : [];
    for (const one of claimed) begin(one);
    return hasMore;
  };
  const round = work.alarms.add({
    topic: TOPIC,
    purpose: "start invocations of functions",
    nextDue: NEXT_INVOCATION,
    run: beginDue,
    idle: () => Promise.all(running.keys()),
  });
  return {
    stop: async () => {
      await round.stop();
      await Promise.all(running.keys());
    },
  };
}

function countsOf(tenants: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const tenant of tenants) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  return counts;
}

async function runClaimed(work: FunctionWork, claimed: ClaimedInvocation): Promise<void> {
  const { sql, clock, log } = work;
  const extend = () => INVOCATIONS.extend(sql, claimed, { now: clock.now() });
  const kept = INVOCATIONS.keep(claimed.id, { extend, log });
  try {
    await runLeased(work, claimed, kept.signal);
  } finally {
    kept.stop();
  }
}

async function runLeased(
  { db, sql, clock, functions }: FunctionWork,
  claimed: ClaimedInvocation,
  signal: AbortSignal,
): Promise<void> {
  const { id, functionId, owner, fence, version, payload, scheduledAt, attempt } = claimed;
  const run = { version, payload, scheduledAt, attempt, signal };
  const fn = await db.cloudFunction.findUnique({ where: { id: functionId } });
  let outcome: Outcome;
  try {
    if (!fn) throw new ServiceError("not_found", "The function was deleted.");
    outcome = await functions.run({ ...fn, env: fn.env as CodeEnv }, { invocationId: id, ...run });
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure;
    if (isTemporary(failure)) return requeueInvocation(sql, claimed, later(clock, BUSY_MS));
    outcome = failedOutcome({ reason: "unavailable", message: failure.message });
  }
  const { runs, memoryMs } = meteredFields(outcome, fn ?? { image: null });
  const again = outcome.error && run.attempt <= (fn?.retriesMax ?? 0) && !LASTING.has(outcome.error.reason);
  const waitMs = RETRY_MS * 2 ** (run.attempt - 1);
  await db.functionInvocation.updateMany({
    where: { id, status: "running", leaseOwner: owner, leaseFence: fence },
    data: {
      ...(again ? waitingFields(outcome, later(clock, waitMs)) : endedFields(outcome, clock.now())),
      leaseOwner: null,
      leaseUntil: null,
      runs: { increment: runs },
      memoryMs: { increment: memoryMs },
    },
  });
}

const later = (clock: Clock, ms: number): Date => new Date(clock.now().getTime() + ms);

const isTemporary = ({ code, details }: ServiceError): boolean => code === "rate_limited" || details?.reason === "busy";

/** Ends invocations whose process has ended, adds those that ended to usage, and deletes those that are older than a day. */
export const functionTasks = ({ sql, clock }: Pick<FunctionWork, "sql" | "clock">): Tasks => ({
  [UPKEEP]: async () => {
    const now = clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    const { error } = failedOutcome({ reason: "interrupted", message: "The process that ran the invocation ended." });
    await failAbandoned(sql, { now, error: JSON.stringify(error) });
    const functionIds = await countInvocations(sql, { before: ago(HOURS_KEPT_MS) });
    await forgetInvocations(sql, { before: ago(KEPT_MS), kept: KEPT_OF_FUNCTION, functionIds });
  },
});
