import { EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { Queue, QueueWithFigures } from "./queue";

export const queueExample: Queue = {
  id: exampleId("que"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "emails",
  visibility_timeout_s: 30,
  retention_s: 345_600,
  max_receives: 5,
  dlq: "emails-failed",
  ...EXAMPLE_TIMES,
};

export const queueWithFiguresExample: QueueWithFigures = {
  ...queueExample,
  figures: { waiting: 12, delayed: 0, in_flight: 3, oldest_age_s: 41 },
};

export const EXAMPLE_RECEIPT = "rct_q7vd2k4m…";
