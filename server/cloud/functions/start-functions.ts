import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counters } from "../../engines/counters/counters";
import type { Tasks } from "../../engines/jobs/start-jobs";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Workerd } from "../../engines/workerd/workerd";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { repeat } from "../../kernel/repeat";
import { Wake } from "../../kernel/wake";
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
  requeueInvocation,
} from "./functions.sql";
import { endedFields, meteredFields, waitingFields } from "./invocation-row";
import { failedOutcome } from "./run-outcome";
import { INVOCATIONS_DUE } from "./wake-invocations";

/** A process looks so often, and at once when another one says that an invocation waits. */
const ROUND_MS = 1000;
/** In one process. */
const RUNNING_MAX = 16;
/** Longer than any invocation takes. */
const ABANDONED_MS = 120_000;
/** Before the first retry; twice as long before each further one. */
const RETRY_MS = 10_000;
/** Failures of the version and its settings, which another run would have as well. */
const LASTING = new Set(["load_failed", "no_such_secret"]);
const KEPT_MS = 24 * 3_600_000;
const KEPT_OF_FUNCTION = 1000;
/** Longer than usage is measured again. */
const HOURS_KEPT_MS = 15 * KEPT_MS;
const UPKEEP = "maintain_function_invocations";

/** In graphile-worker's crontab format. */
export const FUNCTIONS_CRONTAB = `* * * * * ${UPKEEP}`;

interface FunctionWork {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  counters: Pick<Counters, "subscribe" | "reserve" | "release">;
  functions: FunctionRuns;
}

interface StartFunctions extends Omit<FunctionWork, "functions"> {
  podsCtx: FunctionPodsCtx;
  workerd: Pick<Workerd, "call">;
  secretsKey: Buffer;
  rootDir: string;
  roles: ReadonlySet<string>;
}

/** Opens what runs functions, and in workers begins the invocations that no client waits for. */
export function startFunctions({ workerd, podsCtx, secretsKey, rootDir, roles, ...work }: StartFunctions) {
  const pods = new FunctionPods(podsCtx, rootDir);
  const runs = new FunctionRuns({ workerd, pods, sql: work.sql, counters: work.counters, secretsKey, rootDir });
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
  const running = new Set<Promise<void>>();
  const wake = new Wake();
  const begin = (claimed: ClaimedInvocation): void => {
    const run = runClaimed(work, claimed).catch((err: unknown) => {
      work.log.warn({ err, invocation: claimed.id }, "cannot run an invocation of a function");
    });
    running.add(run);
    void run.then(() => {
      running.delete(run);
      wake.up();
    });
  };
  const round = async () => {
    const max = RUNNING_MAX - running.size;
    await beginSchedules(work.sql, work.clock.now());
    const claimed = max > 0 ? await claimInvocations(work.sql, { now: work.clock.now(), max }) : [];
    for (const one of claimed) begin(one);
  };
  const loop = repeat({ everyMs: ROUND_MS, log: work.log, purpose: "start invocations of functions" }, round, {
    wait: (ms, signal) => wake.wait(ms, signal),
  });
  const subscribed = work.counters.subscribe(INVOCATIONS_DUE, () => wake.up()).catch(() => async () => undefined);
  return {
    stop: async () => {
      await (await subscribed)();
      await loop.stop();
      await Promise.all(running);
    },
  };
}

async function runClaimed({ db, sql, clock, functions }: FunctionWork, claimed: ClaimedInvocation): Promise<void> {
  const { id, functionId, ...run } = claimed;
  const fn = await db.cloudFunction.findUnique({ where: { id: functionId } });
  let outcome: Outcome;
  try {
    if (!fn) throw new ServiceError("not_found", "The function was deleted.");
    outcome = await functions.run({ ...fn, env: fn.env as CodeEnv }, { invocationId: id, ...run });
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure;
    if (isTemporary(failure)) return requeueInvocation(sql, claimed, later(clock, ROUND_MS));
    outcome = failedOutcome({ reason: "unavailable", message: failure.message });
  }
  const { runs, memoryMs } = meteredFields(outcome, fn ?? { image: null });
  const again = outcome.error && run.attempt <= (fn?.retriesMax ?? 0) && !LASTING.has(outcome.error.reason);
  const waitMs = RETRY_MS * 2 ** (run.attempt - 1);
  await db.functionInvocation.updateMany({
    where: { id, status: "running", attempt: run.attempt },
    data: {
      ...(again ? waitingFields(outcome, later(clock, waitMs)) : endedFields(outcome, clock.now())),
      ...{ runs: { increment: runs }, memoryMs: { increment: memoryMs } },
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
    await failAbandoned(sql, { now, startedBefore: ago(ABANDONED_MS), error: JSON.stringify(error) });
    await countInvocations(sql, { before: ago(HOURS_KEPT_MS) });
    await forgetInvocations(sql, { before: ago(KEPT_MS), kept: KEPT_OF_FUNCTION });
  },
});
