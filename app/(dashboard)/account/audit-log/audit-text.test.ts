import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { actorName, entryDetails, humanize, KIND_LABELS, targetsText, valueText } from "./audit-text";

it("offers every kind of action that the server writes down, and no other", () => {
  const root = path.resolve(import.meta.dirname, "../../../../server");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const found = sources.flatMap((file) => [
    ...readFileSync(path.join(root, file), "utf8").matchAll(
      // An action as such, or the target of an update, whose action follows from it.
      /(?:action: "([a-z_]+)\.[a-z_]+")|(?:const target = \{ type: "([a-z_]+)")/g,
    ),
  ]);
  const kinds = new Set(found.map(([, acted, updated]) => acted ?? updated));
  expect([...kinds].toSorted()).toEqual(Object.keys(KIND_LABELS).toSorted());
});

describe("the audit log in words", () => {
  it.each([
    ["api_key.created", "API key created"],
    ["campaign.updated", "Campaign updated"],
    ["member.role_changed", "Member role changed"],
  ])("tells %s as %s", (action, words) => expect(humanize(action)).toBe(words));

  it("names anyone who did it, also when they are gone or never had a name", () => {
    expect(actorName({ type: "user", id: "usr_1", name: "ada@shop.example" })).toBe("ada@shop.example");
    expect(actorName({ type: "user", id: "usr_1" })).toBe("A former member (usr_1)");
    expect(actorName({ type: "api_key", id: "key_1" })).toBe("A former key (key_1)");
    expect(actorName({ type: "operator" })).toBe("An operator");
    expect(actorName({ type: "visitor" })).toBe("Anonymous visitor");
  });

  it("names the first target and counts the others", () => {
    const targets = [
      { type: "project", id: "prj_1", name: "ci" },
      { type: "api_key", id: "key_1" },
    ];
    expect(targetsText(targets)).toBe("ci and 1 more");
    expect(targetsText(targets.slice(1))).toBe("API key key_1");
    expect(targetsText([{ type: "session", id: "0123456789abcdef".repeat(4) }])).toBe("Session 0123456789abcdef…");
    expect(targetsText([])).toBe("");
  });

  it.each([
    [null, "–"],
    ["", "–"],
    [[], "–"],
    [0, "0"],
    [false, "false"],
    [["ads:read", "ads:write"], "ads:read, ads:write"],
    [{ text: "shoes" }, '{"text":"shoes"}'],
    [[{ text: "shoes" }], '[{"text":"shoes"}]'],
  ])("writes the value %j as %s", (value, text) => expect(valueText(value)).toBe(text));

  it("separates changes from what else an entry tells", () => {
    const details = { changes: { name: { from: "a", to: "b" }, domain: { from: null, to: "b.example" } }, reason: "x" };
    expect(entryDetails({ details })).toEqual({
      changes: [
        { field: "name", from: "a", to: "b" },
        { field: "domain", from: "–", to: "b.example" },
      ],
      rest: [["reason", "x"]],
    });
    expect(entryDetails({ details: {} })).toEqual({ changes: [], rest: [] });
  });
});
