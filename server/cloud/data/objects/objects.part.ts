import type { Part } from "../../../identity/part";
import { type ObjectsParts, startObjects } from "./create-objects";
import type { Objects } from "./objects";
import { OBJECT_QUOTAS } from "./objects.quotas";

interface Needs extends ObjectsParts {
  stopping: AbortSignal;
}

interface Gives {
  objects: Objects;
  /** Blobs that scrubbing has verified in this process. */
  scrubbed: { ok: number; lost: number };
}

/** The objects of all buckets, with their background work. */
export const objectsPart: Part<Needs, Gives> = {
  name: "objects",
  quotas: Object.values(OBJECT_QUOTAS),
  start: ({ db, sql, clock, blobs, log, storedBytes, stopping, secret, previousSecret }) => {
    const { objects, tasks, crontab, scrubbed } = startObjects(
      { db, sql, clock, blobs, log, storedBytes, secret, previousSecret },
      stopping,
    );
    return { gives: { objects, scrubbed }, tasks, crontab: [crontab], stop: () => objects.stop() };
  },
};
