import { z } from "zod";
import { type EventKind, eventKind, eventsOf } from "../../../operation/event-kind";
import { CloudFunction } from "./function";
import { functionExample } from "./function.example";
import { FunctionSchedule } from "./schedule";

/** Without what may contain what only readers of functions should see. */
const FunctionData = CloudFunction.omit({ env: true }).extend({
  schedule: FunctionSchedule.omit({ payload: true }).nullable(),
});

/** A function as its events and audit entries show it. */
export const recorded = ({ env: _env, schedule, ...shown }: CloudFunction): z.infer<typeof FunctionData> => ({
  ...shown,
  schedule: schedule && { cron: schedule.cron, timezone: schedule.timezone },
});

const example = recorded(functionExample);

const eventOf = eventsOf(FunctionData, example);

export const functionCreated = eventOf("function.created", "A function was created.");

export const functionDeployed = eventOf(
  "function.deployed",
  "Another version of a function is called from now on: a new one, or an earlier one again.",
  { ...example, version: 2 },
);

export const functionUpdated = eventKind({
  type: "function.updated",
  description: "The settings of a function changed.",
  data: FunctionData.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...example, timeout_ms: 20_000, changed: ["timeout_ms"] },
});

export const functionDeleted = eventOf("function.deleted", "A function was deleted with its versions.");

export const functionEventKinds: readonly EventKind[] = [
  functionCreated,
  functionDeployed,
  functionUpdated,
  functionDeleted,
];
