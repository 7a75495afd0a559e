import { expect, it } from "vitest";
import { groupKinds, includes, kindsSummary, matchingGroups, toggled } from "./kind-groups";

const kindOf = (type: string, description = "") => ({ type, description });
const GROUPS = groupKinds([
  kindOf("campaign.created", "A campaign was created."),
  kindOf("campaign.budget.exhausted", "The whole budget is spent."),
  kindOf("campaign.updated"),
  kindOf("training.run.completed"),
]);

it("groups kinds by their noun", () => {
  expect(GROUPS.map(({ noun, prefix, kinds }) => [noun, prefix, kinds.length])).toEqual([
    ["campaign", "campaign.*", 2],
    ["campaign.budget", "campaign.budget.*", 1],
    ["training.run", "training.run.*", 1],
  ]);
});

it("finds kinds by words of their name and description", () => {
  const found = (query: string) => matchingGroups(GROUPS, query).flatMap(({ kinds }) => kinds.map(({ type }) => type));
  expect(found("whole budget")).toEqual(["campaign.budget.exhausted"]);
  expect(found("CAMPAIGN created")).toEqual(["campaign.created"]);
  expect(found("nothing")).toEqual([]);
});

it("knows which kinds a subscription includes", () => {
  expect(includes("campaign.*", "campaign.budget.exhausted")).toBe(true);
  expect(includes("campaign.*", "campaigns.created")).toBe(false);
  expect(includes("*", "campaign.*")).toBe(true);
  expect(includes("campaign.created", "campaign.updated")).toBe(false);
});

it("drops what a new prefix includes, and nothing else", () => {
  expect(toggled(["campaign.created", "training.run.*"], "campaign.*")).toEqual(["training.run.*", "campaign.*"]);
  expect(toggled(["campaign.*"], "campaign.*")).toEqual([]);
  expect(toggled(["campaign.*"], "*")).toEqual(["*"]);
});

it("says in one line what a webhook receives", () => {
  expect(kindsSummary(["*"])).toBe("all events");
  expect(kindsSummary(["a.b", "c.*", "d.e"])).toBe("a.b, c.*, d.e");
  expect(kindsSummary(["a.b", "c.*", "d.e", "f.g"])).toBe("a.b, c.* and 2 more");
});
