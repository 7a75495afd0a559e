import type { Part } from "../../../identity/part";
import { END_UNUSED_PODS, functionPodTasks, HAS_FUNCTION_PODS } from "../function-pods/end-unused-pods";
import type { FunctionPodsCtx } from "../function-pods/pod-of-version";
import { functionEventKinds } from "./function.events";
import type { FunctionRunner } from "./function-runner";
import { FUNCTION_QUOTAS } from "./functions.quotas";
import { functionRoutes } from "./functions.routes";
import { functionTools } from "./functions.tools";
import { FUNCTIONS_EVERY_MINUTE, functionTasks, type StartFunctions, startFunctions } from "./start-functions";

interface Needs extends Omit<StartFunctions, "podsCtx" | "roles" | "rootDir">, FunctionPodsCtx {
  config: { rootDir: string; roles: ReadonlySet<string> };
}

/** Runs functions in this process; workers begin the invocations that no client waits for. */
export const functionsPart: Part<Needs, { functions: FunctionRunner }, typeof functionRoutes> = {
  name: "functions",
  routes: [functionRoutes],
  tools: functionTools,
  eventKinds: functionEventKinds,
  quotas: Object.values(FUNCTION_QUOTAS),
  start: (needs) => {
    const { sql, clock, config } = needs;
    const functions = startFunctions({ ...needs, podsCtx: needs, roles: config.roles, rootDir: config.rootDir });
    return {
      gives: { functions: functions.runs },
      tasks: { ...functionTasks({ sql, clock }), ...functionPodTasks(needs) },
      everyMinute: { ...FUNCTIONS_EVERY_MINUTE, [END_UNUSED_PODS]: HAS_FUNCTION_PODS },
      stop: () => functions.stop(),
    };
  },
};
