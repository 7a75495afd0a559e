import type { QuietPart } from "../../../identity/part";
import { sandboxEventKinds } from "./sandbox.events";
import { SANDBOX_QUOTAS } from "./sandboxes.quotas";
import { sandboxRoutes } from "./sandboxes.routes";
import { sandboxTools } from "./sandboxes.tools";
import { SANDBOXES_CRONTAB, type StartSandboxes, sandboxTasks, startSandboxes } from "./start-sandboxes";

interface Needs extends StartSandboxes {
  config: { roles: ReadonlySet<string> };
}

/** Sandboxes; workers announce their ends. */
export const sandboxesPart: QuietPart<Needs, typeof sandboxRoutes> = {
  name: "sandboxes",
  routes: [sandboxRoutes],
  tools: sandboxTools,
  eventKinds: sandboxEventKinds,
  quotas: Object.values(SANDBOX_QUOTAS),
  start: ({ db, sql, clock, currency, publicUrl, alarms, config }) => {
    const rounds = config.roles.has("worker")
      ? startSandboxes({ db, sql, clock, currency, publicUrl, alarms })
      : undefined;
    return {
      gives: {},
      tasks: sandboxTasks({ sql, clock }),
      crontab: [SANDBOXES_CRONTAB],
      stop: () => rounds?.stop(),
    };
  },
};
