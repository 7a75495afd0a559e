import { expect, it } from "vitest";
import { isActive, nextStatus, POD_STATUSES, POD_TRANSITIONS, type PodCause } from "./pod-states";

const causes = Object.keys(POD_TRANSITIONS) as PodCause[];

it("a pod changes its status only as the table says", () => {
  const changes = POD_STATUSES.flatMap((status) =>
    causes.flatMap((cause) => {
      const next = nextStatus(status, cause);
      return next ? [`${status} -${cause}-> ${next}`] : [];
    }),
  );
  expect(changes).toEqual([
    "pending -run-> ready",
    "pending -stop-> stopping",
    "pending -requeue-> pending",
    "pending -fail-> failed",
    "ready -stop-> stopping",
    "ready -reclaim-> reclaiming",
    "ready -complete-> completed",
    "ready -fail-> failed",
    "reclaiming -stop-> stopping",
    "reclaiming -requeue-> pending",
    "reclaiming -end-> stopped",
    "stopping -end-> stopped",
    "stopped -start-> pending",
    "completed -start-> pending",
    "failed -start-> pending",
  ]);
});

it("every pod that is active can end, and every pod that is not can be started", () => {
  for (const status of POD_STATUSES) {
    const after = causes.flatMap((cause) => nextStatus(status, cause) ?? []);
    if (isActive(status)) expect(after.some((next) => next === "stopping" || !isActive(next))).toBe(true);
    else expect(after).toEqual(["pending"]);
  }
});
