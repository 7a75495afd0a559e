import { expect, it } from "vitest";
import { ManualClock } from "../../../kernel/clock";
import { type CircuitNames, Circuits, circuitsOf } from "./circuits";
import type { Candidate } from "./upstream";
import { UpstreamFailure } from "./upstream-failure";

const named = (upstream: string, model: string, form: "whole" | "stream"): CircuitNames =>
  circuitsOf({ upstream: { id: upstream }, model: { kind: "chat", upstreamName: model } } as Candidate, form);

const STREAM = named("a", "m", "stream");
const OTHERS = {
  "the same model, whole": named("a", "m", "whole"),
  "another model": named("a", "n", "stream"),
  "another upstream": named("b", "m", "stream"),
};

it.each<[string, UpstreamFailure, string[]]>([
  ["no connection", new UpstreamFailure("ECONNREFUSED", { isUnreachable: true }), ["another upstream"]],
  ["a status of 500", new UpstreamFailure("status 500", { status: 500 }), ["another model", "another upstream"]],
  ["a reset", new UpstreamFailure("ECONNRESET", { isUnreachable: false }), ["another model", "another upstream"]],
  ["no response in time", new UpstreamFailure("late", { isLate: true }), ["another model", "another upstream"]],
  [
    "something else than a stream",
    new UpstreamFailure("no stream", { status: 502, isMalformed: true }),
    ["the same model, whole", "another model", "another upstream"],
  ],
  ["a status of 400", new UpstreamFailure("status 400", { status: 400 }), ["the same", ...Object.keys(OTHERS)]],
  ["a status of 429", new UpstreamFailure("status 429", { status: 429 }), ["the same", ...Object.keys(OTHERS)]],
])("three times %s leave open: %s", (_, failure, open) => {
  const circuits = new Circuits(new ManualClock(new Date("2026-11-20T12:00:00Z")));
  for (let i = 0; i < 3; i++) circuits.record(STREAM, failure.fault);
  const allowed = Object.entries({ "the same": STREAM, ...OTHERS }).filter(([, names]) => circuits.allow(names));
  expect(allowed.map(([name]) => name)).toEqual(open);
});

it("lets one request through when the pause is over, and all when it succeeds", () => {
  const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  const circuits = new Circuits(clock);
  for (let i = 0; i < 3; i++) circuits.record(STREAM, "model");
  clock.advance(1000);
  expect([circuits.allow(STREAM), circuits.allow(STREAM)]).toEqual([true, false]);
  circuits.record(STREAM, undefined);
  expect([circuits.allow(STREAM), circuits.allow(STREAM)]).toEqual([true, true]);
});
