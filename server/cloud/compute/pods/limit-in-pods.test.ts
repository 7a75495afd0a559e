import { expect, it } from "vitest";
import { CONNECTIONS, limitInPods, TERMINALS } from "./limit-in-pods";

it.each([TERMINALS, CONNECTIONS])(
  "limits open $what by pod and by tenant; a refused one counts for neither",
  (limits) => {
    const { podMax, tenantMax, reason } = limits;
    const REFUSED = expect.objectContaining({ code: "rate_limited", details: { reason } });
    const open = limitInPods(limits);
    const close = open({ tenantId: "a", podId: "first" });
    for (let i = 1; i < podMax; i++) open({ tenantId: "a", podId: "first" });
    for (let i = 0; i < tenantMax; i++) expect(() => open({ tenantId: "a", podId: "first" })).toThrow(REFUSED);
    for (let i = podMax; i < tenantMax; i++) open({ tenantId: "a", podId: `p${i}` });
    expect(() => open({ tenantId: "a", podId: "other" })).toThrow(REFUSED);
    open({ tenantId: "b", podId: "other" });
    close();
    close();
    open({ tenantId: "a", podId: "first" });
    expect(() => open({ tenantId: "a", podId: "other" })).toThrow(REFUSED);
  },
);
