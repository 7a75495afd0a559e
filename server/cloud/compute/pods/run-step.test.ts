import { describe, expect, it } from "vitest";
import { nextRunStep } from "./run-step";

const run = { kind: "pod" as const, status: "pending" as const, isDeleted: false, startedAt: null, endedAt: null };
const running = { ...run, status: "ready" as const, startedAt: new Date(0) };
const stopping = { ...running, status: "stopping" as const };
const reclaiming = { ...running, status: "reclaiming" as const };
const deleted = { ...running, isDeleted: true };

describe("a run", () => {
  it.each([
    ["starts its process once capacity is assigned", run, "absent", "start"],
    ["waits for the preparation that is under way, also after a crash of svc", run, "preparing", "start"],
    ["is ready when its process is observed, also if svc was killed in between", run, "running", "record_start"],
    ["that svc did not see start is recorded with its end", run, "exited", "record_end"],
    ["is noted while it runs", running, "running", "record_seen"],
    ["that ended by itself is recorded", running, "exited", "record_end"],
    ["of which nothing is left is lost, and not started twice", running, "absent", "record_loss"],
    ["is stopped on request", stopping, "running", "stop"],
    ["is stopped while it is prepared", { ...run, status: "stopping" as const }, "preparing", "stop"],
    [
      "that was to stop before it started never starts",
      { ...run, status: "stopping" as const },
      "absent",
      "record_no_start",
    ],
    ["of a spot pod is reclaimed when it was given notice", reclaiming, "running", "reclaim"],
    ["that was reclaimed and has ended is recorded", reclaiming, "exited", "record_end"],
    ["is killed when its pod is deleted during the notice", { ...reclaiming, isDeleted: true }, "running", "kill"],
    ["that was to stop and has ended is recorded", stopping, "exited", "record_end"],
    ["is killed when its pod is deleted", deleted, "running", "kill"],
    ["is killed while it is prepared when its pod is deleted", { ...run, isDeleted: true }, "preparing", "kill"],
    ["of a sandbox is killed when it is to end", { ...stopping, kind: "sandbox" }, "running", "kill"],
    ["that has ended is removed", { ...deleted, endedAt: new Date(1) }, "exited", "remove"],
  ] as const)("%s", (...[, of, state, step]) => {
    expect(nextRunStep(of, { state })).toBe(step);
  });
});
