import { expect, it } from "vitest";
import { planReplicas, type ReplicaState } from "./plan-replicas";

const replica = (podId: string, changes: Partial<ReplicaState> = {}): ReplicaState => ({
  podId,
  isAlive: true,
  isReady: true,
  isCurrent: true,
  drainingMs: undefined,
  unreadyMs: 0,
  wasReady: true,
  outstanding: 0,
  ...changes,
});
const STARTING = { isReady: false, wasReady: false } as const;
const OLD = { isCurrent: false } as const;

it("replaces an old replica only when a new one is ready", () => {
  expect(planReplicas(1, [replica("old", OLD)])).toMatchObject({ create: 1, drain: [] });
  expect(planReplicas(1, [replica("old", OLD), replica("new", STARTING)])).toMatchObject({ create: 0, drain: [] });
  expect(planReplicas(1, [replica("old", OLD), replica("new")])).toMatchObject({ create: 0, drain: ["old"] });
});

it("ends a draining replica when its requests are answered, and not before every process knows that it drains", () => {
  const draining = (drainingMs: number, outstanding: number) =>
    planReplicas(0, [replica("a", { drainingMs, outstanding })]);
  expect(draining(1000, 0).remove).toEqual([]);
  expect(draining(5000, 1).remove).toEqual([]);
  expect(draining(5000, 0)).toMatchObject({ remove: ["a"], failed: [] });
  expect(draining(600_000, 1).remove).toEqual(["a"]);
});

it("replaces a replica that ended, or no longer responds", () => {
  const lost = [replica("a", { isAlive: false }), replica("b", { isReady: false, unreadyMs: 30_000 }), replica("c")];
  expect(planReplicas(3, lost)).toEqual({ create: 2, drain: [], remove: ["a", "b"], failed: ["a", "b"] });
});

it("drains those that are too many, first those that are not ready", () => {
  expect(planReplicas(1, [replica("a", STARTING), replica("b")])).toMatchObject({ create: 0, drain: ["a"] });
});
