import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { RunToKeep } from "./pods.sql";

/** In the folder /run/svc of the pod. */
const NOTICE = "reclaim.json";
/** The signal does not wait longer for a disk that does not respond. */
const WRITE_MS = 1000;

/** Writes /run/svc/reclaim.json of a run, so that its processes find it when they receive the signal. */
export async function giveNotice(
  { runtime, log }: { runtime: Pick<Runtime, "notify">; log: Pick<Logger, "warn"> },
  { id, noticeAt, reclaimAt }: RunToKeep,
): Promise<void> {
  const notice = { notice_at: noticeAt?.toISOString(), ends_at: reclaimAt?.toISOString() };
  const written = runtime
    .notify(id, NOTICE, `${JSON.stringify(notice)}\n`)
    .catch((err: unknown) => log.warn({ err, run: id }, "the notice of a reclaim could not be written"));
  const late = new AbortController();
  await Promise.race([written, sleep(WRITE_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}
