import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";

/** The action of policies that lets a request shorten or remove a retention in governance mode. */
export const BYPASS_GOVERNANCE = "s3:BypassGovernanceRetention";

/** S3's limits of a default retention. */
const DAYS_MAX = 36_500;
const YEARS_MAX = 100;

export const RetentionMode = z
  .enum(["governance", "compliance"])
  .describe("`governance`: a request that bypasses it can shorten or remove it; `compliance`: it can only be extended");

/** Of a query too, where it is a text. */
export const bypassField = z
  .preprocess((value: unknown) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
  .default(false);

const DefaultRetention = z
  .strictObject({
    mode: RetentionMode,
    days: z.int().min(1).max(DAYS_MAX).optional(),
    years: z.int().min(1).max(YEARS_MAX).optional().describe("Of 365 days each"),
  })
  .refine(({ days, years }) => (days === undefined) !== (years === undefined), "expected either days or years");

export const ObjectLock = z.strictObject({
  default_retention: DefaultRetention.nullable()
    .default(null)
    .describe("How long new versions are retained that name no retention; null: not at all"),
});

type Versioning = "off" | "on" | "suspended";

interface Change {
  versioning?: Versioning | undefined;
  object_lock?: z.output<typeof ObjectLock> | undefined;
}

/** Throws `conflict` (reasons `versioning_required` and `object_lock_enabled`): locked versions need versioning. */
export function assertVersioned(bucket: { versioning: Versioning; objectLock: unknown }, change: Change): void {
  if ((change.versioning ?? bucket.versioning) === "on") return;
  if (change.object_lock) {
    throw refusal("versioning_required", "object_lock", "Object lock needs versioning; switch it on first.");
  }
  if (change.versioning !== undefined && bucket.objectLock) {
    throw refusal(
      "object_lock_enabled",
      "versioning",
      "The bucket has object lock, which cannot be removed; its versioning stays on.",
    );
  }
}

const refusal = (reason: string, param: string, message: string): ServiceError =>
  new ServiceError("conflict", `${param}: ${message}`, { param, details: { reason } });

/** The stored setting; undefined leaves it as it is. */
export const objectLockData = ({ object_lock }: Change): { objectLock?: Prisma.InputJsonObject } =>
  object_lock === undefined ? {} : { objectLock: object_lock as Prisma.InputJsonObject };
