import type { QuietPart } from "../part";
import { quotaEventKinds } from "./quota.events";

/** Limits that operators set for tenants. */
export const quotasPart: QuietPart<object> = { name: "quotas", eventKinds: quotaEventKinds };
