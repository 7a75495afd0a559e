import { z } from "zod";
import { eventKind } from "../../operation/event-kind";

export const quotaUpdated = eventKind({
  type: "quota.updated",
  description: "The operator changed a limit of the tenant.",
  data: z.object({
    resource: z.string(),
    limit: z.int(),
    previous_limit: z.int(),
    unit: z.string(),
  }),
  example: { resource: "projects", limit: 200, previous_limit: 100, unit: "projects" },
});

export const quotaEventKinds = [quotaUpdated];
