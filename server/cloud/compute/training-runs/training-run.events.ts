import { z } from "zod";
import { type EventKind, eventsOf } from "../../../operation/event-kind";
import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../../operation/example";

const TrainingRun = z.object({
  pod_id: z.string(),
  name: z.string(),
  started_at: z.iso.datetime().nullable().describe("null: it could not be started"),
  ended_at: z.iso.datetime(),
  exit_code: z
    .int()
    .nullable()
    .describe("128 and the number of the signal that ended it; null: it did not run to an exit"),
});
const example = {
  pod_id: exampleId("pod"),
  name: "finetune",
  started_at: EXAMPLE_TIME,
  ended_at: EXAMPLE_LATER,
  exit_code: 0,
};

const eventOf = eventsOf(TrainingRun, example);

export const trainingRunCompleted = eventOf(
  "training.run.completed",
  "A pod with the label `job: training` ended by itself with exit code 0.",
);

export const trainingRunFailed = eventOf(
  "training.run.failed",
  "A pod with the label `job: training` failed; one that was stopped is neither completed nor failed.",
  { ...example, exit_code: 1 },
);

/** The kinds that the specification names. */
export const trainingRunEventKinds: readonly EventKind[] = [trainingRunCompleted, trainingRunFailed];
