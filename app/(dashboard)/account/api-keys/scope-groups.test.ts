import { expect, it } from "vitest";
import { SCOPES } from "../../../../server/operation/actor";
import { groupScopes, matchesPreset, presetsOf, type Scope } from "./scope-groups";

const facts = SCOPES.map((scope) => ({ scope, description: scope, in_use: scope.startsWith("ads:") }));

it("shows every scope of the catalogue once, in its product", () => {
  const groups = groupScopes(facts);
  expect(groups.flatMap(({ scopes }) => scopes.map(({ scope }) => scope)).toSorted()).toEqual(SCOPES.toSorted());
  expect(groups.map(({ label, scopes }) => [label, scopes[0]?.scope])).toEqual([
    ["Offers", "ads:read"],
    ["Account", "keys:read"],
    ["Cloud", "pods:read"],
  ]);
});

it("leaves out a product without scopes", () => {
  expect(groupScopes(facts.filter(({ in_use }) => in_use)).map(({ label }) => label)).toEqual(["Offers"]);
});

it("presets hold nothing that no endpoint asks for", () => {
  expect(presetsOf(facts).map(({ scopes }) => scopes)).toEqual([[], ["ads:read"], ["ads:read", "ads:write"]]);
});

it("knows a preset again whatever the order", () => {
  const chosen = new Set<Scope>(["ads:write", "ads:read"]);
  expect(matchesPreset(chosen, { label: "", scopes: ["ads:read", "ads:write"] })).toBe(true);
  expect(matchesPreset(chosen, { label: "", scopes: ["ads:read"] })).toBe(false);
  expect(matchesPreset(chosen, { label: "", scopes: ["ads:read", "keys:read"] })).toBe(false);
});
