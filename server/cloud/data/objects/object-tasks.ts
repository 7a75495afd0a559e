import type { Tasks } from "../../../engines/jobs/start-jobs";
import { removeDueBlobs, removeOrphans, type ScrubCounts, scrubObjects } from "./blob-sweeps";
import { applyLifecycleRules, sweepUploads } from "./lifecycle-sweep";
import { type MoveParts, moveByAge } from "./tier-moves";

const REMOVE_BLOBS = "remove_object_blobs";
const REMOVE_ORPHANS = "remove_orphan_blobs";
const SCRUB_BLOBS = "scrub_object_blobs";
const SWEEP_UPLOADS = "sweep_uploads";
const APPLY_LIFECYCLE = "apply_lifecycle_rules";
const MOVE_BY_AGE = "move_objects_by_age";

/** In graphile-worker's crontab format. */
export const OBJECTS_CRONTAB = [
  `*/5 * * * * ${REMOVE_BLOBS}`,
  `12 3 * * * ${REMOVE_ORPHANS}`,
  `*/10 * * * * ${SCRUB_BLOBS}`,
  `17 * * * * ${SWEEP_UPLOADS}`,
  `42 * * * * ${APPLY_LIFECYCLE}`,
  `52 * * * * ${MOVE_BY_AGE}`,
].join("\n");

/** The background work on stored objects. Each run is bounded, may end at any moment and may run in several processes. */
export const objectTasks = (parts: MoveParts & { scrubbed: ScrubCounts }): Tasks => ({
  [REMOVE_BLOBS]: async () => void (await removeDueBlobs(parts)),
  [REMOVE_ORPHANS]: async () => void (await removeOrphans(parts)),
  [SCRUB_BLOBS]: () => scrubObjects(parts, parts.scrubbed),
  [SWEEP_UPLOADS]: () => sweepUploads(parts),
  [APPLY_LIFECYCLE]: () => applyLifecycleRules(parts),
  [MOVE_BY_AGE]: () => moveByAge(parts),
});
