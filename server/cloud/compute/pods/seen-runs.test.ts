import { expect, it } from "vitest";
import { SeenRuns } from "./seen-runs";

const at = (seconds: number) => new Date(seconds * 1000);

it("a lost run ends when it was last seen running, by its record or by the process that looked at it later", async () => {
  const clock = { now: () => at(0) };
  const seen = new SeenRuns(clock);
  const look = async (state: "running" | "absent", seconds: number) => {
    clock.now = () => at(seconds);
    await seen.observe(
      { observe: async () => (state === "running" ? { state, startedAt: at(10) } : { state }) },
      "run",
    );
  };
  const lastSeen = (startedAt: Date | null, observedAt: Date | null) =>
    seen.lastSeen({ id: "run", startedAt, observedAt })?.getTime();
  // After a restart of svc only the record is left.
  expect([lastSeen(at(10), at(14)), lastSeen(at(10), null), lastSeen(null, null)]).toEqual([14_000, 10_000, undefined]);
  await look("running", 17);
  await look("running", 18);
  await look("absent", 19);
  expect([lastSeen(at(10), at(14)), lastSeen(at(20), null)]).toEqual([18_000, 20_000]);
  seen.keepOnly([{ id: "other" }]);
  expect(lastSeen(at(10), at(14))).toBe(14_000);
});
