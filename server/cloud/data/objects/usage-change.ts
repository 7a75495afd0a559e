import type { UsageChange } from "./changes";

export const NO_USAGE: UsageChange = { objects: 0, versions: 0, bytes: 0, warmBytes: 0, coldBytes: 0, archiveBytes: 0 };

/** A change of usage figures and another one that was added, or subtracted. */
export const addUsage = (to: UsageChange, added: Partial<UsageChange>, sign: 1 | -1 = 1): UsageChange => ({
  objects: to.objects + sign * (added.objects ?? 0),
  versions: to.versions + sign * (added.versions ?? 0),
  bytes: to.bytes + sign * (added.bytes ?? 0),
  warmBytes: to.warmBytes + sign * (added.warmBytes ?? 0),
  coldBytes: to.coldBytes + sign * (added.coldBytes ?? 0),
  archiveBytes: to.archiveBytes + sign * (added.archiveBytes ?? 0),
});
