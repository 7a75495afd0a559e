import { expect, it } from "vitest";
import { limitTerminals, TERMINALS_OF_POD_MAX, TERMINALS_OF_TENANT_MAX } from "./limit-terminals";

const REFUSED = expect.objectContaining({ code: "rate_limited", details: { reason: "too_many_terminals" } });

it("limits the open terminals of a pod and of a tenant, and a refused one counts for neither", () => {
  const open = limitTerminals();
  const close = open({ tenantId: "a", podId: "first" });
  for (let i = 1; i < TERMINALS_OF_POD_MAX; i++) open({ tenantId: "a", podId: "first" });
  for (let i = 0; i < 100; i++) expect(() => open({ tenantId: "a", podId: "first" })).toThrow(REFUSED);
  for (let i = TERMINALS_OF_POD_MAX; i < TERMINALS_OF_TENANT_MAX; i++) open({ tenantId: "a", podId: `p${i}` });
  expect(() => open({ tenantId: "a", podId: "other" })).toThrow(REFUSED);
  open({ tenantId: "b", podId: "other" });
  close();
  close();
  open({ tenantId: "a", podId: "first" });
  expect(() => open({ tenantId: "a", podId: "other" })).toThrow(REFUSED);
});
