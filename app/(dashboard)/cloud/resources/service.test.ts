import { expect, it } from "vitest";
import { RESOURCES_MAX } from "../../../../server/cloud/core/resources/services";
import { runsOf } from "./instance";
import type { Resource } from "./resource";
import { countOf, TIERS } from "./service";

it("shows the limits of the tiers that the server applies", () => {
  expect(Object.fromEntries(TIERS.map(({ value, resourcesMax }) => [value, resourcesMax]))).toEqual(RESOURCES_MAX);
});

it("counts plans apart from the resources of a service", () => {
  const of = (service: string, state: string) => ({ service, state }) as Resource;
  const resources = [of("cpu", "ready"), of("cpu", "suspended"), of("cpu", "placeholder"), of("gpu", "ready")];
  expect(countOf(resources, "cpu")).toEqual({ resources: 2, planned: 1 });
  expect(countOf(resources, "net")).toEqual({ resources: 0, planned: 0 });
});

it.each([
  [{ service: "cpu", state: "ready", spec: { running: true } }, true],
  [{ service: "gpu", state: "failed", spec: {} }, true],
  [{ service: "cpu", state: "ready", spec: { running: false } }, false],
  [{ service: "cpu", state: "placeholder", spec: { running: true } }, undefined],
  [{ service: "cpu", state: "deleting", spec: { running: true } }, undefined],
  [{ service: "cpu", state: "suspended", spec: { running: true } }, undefined],
  [{ service: "object", state: "ready", spec: {} }, undefined],
] as const)("tells of %o whether it is to run", (resource, runs) => {
  expect(runsOf(resource)).toBe(runs);
});
