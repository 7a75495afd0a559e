import { z } from "zod";
import { type EventKind, eventKind } from "../../identity/events/event-kind";
import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../operation/example";

const TrainingRun = z.object({
  pod_id: z.string(),
  name: z.string(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  exit_code: z.int(),
});
const example = {
  ...{ pod_id: exampleId("pod"), name: "finetune", started_at: EXAMPLE_TIME, ended_at: EXAMPLE_LATER, exit_code: 0 },
};

/** The kinds that the specification names; webhooks can subscribe to them, and "Send test event" sends them. */
export const trainingRunEventKinds: readonly EventKind[] = [
  eventKind({
    type: "training.run.completed",
    description: "A training run ended successfully. This version runs no pods, so only test events have this kind.",
    data: TrainingRun,
    example,
  }),
  eventKind({
    type: "training.run.failed",
    description: "A training run failed. This version runs no pods, so only test events have this kind.",
    data: TrainingRun,
    example: { ...example, exit_code: 1 },
  }),
];
