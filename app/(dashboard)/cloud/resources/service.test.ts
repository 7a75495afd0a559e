import { expect, it } from "vitest";
import { runsOf } from "./instance";
import type { Resource } from "./resource";
import { countOf, type Plane } from "./service";

it("counts plans apart from the resources of a service", () => {
  const of = (service: string, state: string, plane: Plane = "gpuc") => ({ plane, service, state }) as Resource;
  const resources = [of("dlp", "ready", "edge"), of("dlp", "suspended", "edge"), of("dlp", "placeholder", "edge")];
  const all = [...resources, of("dlp", "ready", "obs"), of("gpu", "ready")];
  expect(countOf(all, { plane: "edge", service: "dlp" })).toEqual({ resources: 2, planned: 1 });
  expect(countOf(all, { plane: "obs", service: "dlp" })).toEqual({ resources: 1, planned: 0 });
  expect(countOf(all, { plane: "gpuc", service: "dlp" })).toEqual({ resources: 0, planned: 0 });
});

it.each([
  [{ plane: "gpuc", service: "cpu", state: "ready", spec: { running: true } }, true],
  [{ plane: "gpuc", service: "gpu", state: "failed", spec: {} }, true],
  [{ plane: "gpuc", service: "cpu", state: "ready", spec: { running: false } }, false],
  [{ plane: "gpuc", service: "cpu", state: "placeholder", spec: { running: true } }, undefined],
  [{ plane: "gpuc", service: "cpu", state: "deleting", spec: { running: true } }, undefined],
  [{ plane: "gpuc", service: "cpu", state: "suspended", spec: { running: true } }, undefined],
  [{ plane: "edge", service: "cpu", state: "ready", spec: {} }, undefined],
  [{ plane: "gpuc", service: "object", state: "ready", spec: {} }, undefined],
] as const)("tells of %o whether it is to run", (resource, runs) => {
  expect(runsOf(resource)).toBe(runs);
});
