import { expect, it } from "vitest";
import { chooseRuntime, type Rung } from "./choose-runtime";
import type { Runtime } from "./runtime";

const works = (kind: Rung["kind"]): Rung => ({ kind, open: async () => ({ kind }) as Runtime });
const fails = (kind: Rung["kind"], why: string): Rung => ({ kind, open: () => Promise.reject(new Error(why)) });

it("takes the first runtime that works, and says why each stronger one does not", async () => {
  const choice = await chooseRuntime([fails("kubernetes", "it is away."), works("docker"), works("namespaces")]);
  expect(choice).toEqual({ runtime: { kind: "docker" }, skipped: ["kubernetes: it is away"] });
  expect(await chooseRuntime([fails("docker", "no socket"), fails("namespaces", "no perl")])).toEqual({
    reason: "No runtime can run workloads on this node. docker: no socket; namespaces: no perl.",
  });
});
