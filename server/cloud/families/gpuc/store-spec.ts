import { z } from "zod";

const RETENTION_DAYS = 30;
const RETENTION_DAYS_MAX = 400;

export const StoreSpec = z.strictObject({
  retention_days: z
    .int()
    .min(1)
    .max(RETENTION_DAYS_MAX)
    .default(RETENTION_DAYS)
    .describe(
      `Records are deleted this many days after they were received: 1 to ${RETENTION_DAYS_MAX}, default ${RETENTION_DAYS}. A change is for records that are received later`,
    ),
});
export type StoreSpec = z.output<typeof StoreSpec>;
