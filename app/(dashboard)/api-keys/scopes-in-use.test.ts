import { expect, it } from "vitest";
import { adsManagementRows } from "../../../server/http/ads-management.rows";
import { SCOPES } from "../../../server/identity/actors/actor";
import { isInUse } from "./scopes-in-use";

it("marks exactly the scopes that an endpoint asks for", () => {
  const asked = new Set(adsManagementRows.map(({ access }) => access));
  expect(SCOPES.filter(isInUse)).toEqual(SCOPES.filter((scope) => asked.has(scope)));
});
