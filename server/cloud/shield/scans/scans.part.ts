import path from "node:path";
import type { QuietPart } from "../../../identity/part";
import { deriveKey } from "../../../kernel/secrets";
import { SCAN_QUOTAS } from "./scans.quotas";
import { shieldRoutes } from "./shield.routes";
import { shieldTools } from "./shield.tools";
import { shieldScanEventKinds } from "./shield-scan.events";
import { SHIELD_CRONTAB, type StartShield, shieldTasks, startShield } from "./start-shield";

interface Needs extends Omit<StartShield, "workerFile" | "shieldKey" | "batchObjects"> {
  /** SVC_SECRET. */
  secret: string;
  /** The compiled scan-worker.ts; by default the file next to the compiled server. */
  scanWorkerFile?: string | undefined;
  config: { roles: ReadonlySet<string> };
}

/** Scans of buckets, which workers run. */
export const scansPart: QuietPart<Needs, typeof shieldRoutes> = {
  name: "scans of buckets",
  routes: [shieldRoutes],
  tools: shieldTools,
  eventKinds: shieldScanEventKinds,
  quotas: Object.values(SCAN_QUOTAS),
  start: ({ db, sql, clock, log, objects, alarms, secret, scanWorkerFile, config }) => {
    const workerFile = scanWorkerFile ?? path.join(import.meta.dirname, "scan-worker.mjs");
    const shieldKey = deriveKey(secret, "shield");
    const rounds = config.roles.has("worker")
      ? startShield({ db, sql, clock, log, objects, workerFile, shieldKey, alarms })
      : undefined;
    return {
      gives: {},
      tasks: shieldTasks({ sql, clock }),
      crontab: [SHIELD_CRONTAB],
      stop: () => rounds?.stop(),
    };
  },
};
