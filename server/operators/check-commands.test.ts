import { expect, it } from "vitest";
import type { KernelLimit } from "../engines/runtime/namespaces/kernel-limits";
import { checked } from "./check-commands";

const limit = (isMet: boolean, isRequired: boolean): KernelLimit => ({
  limit: "kernel.pid_max",
  found: "32768",
  expected: "4194304 or more",
  fix: isMet ? "" : "sysctl -w kernel.pid_max=4194304",
  isRequired,
  isMet,
});

it("a required limit that is missing makes the check fail and names the fix; a minor one is only listed", () => {
  const missing = checked([limit(true, true), limit(false, true)]);
  expect(missing.status).toBe(1);
  expect(missing.text).toMatch(/kernel.pid_max +32768 +4194304 or more +MISSING +sysctl -w/);
  expect(missing.json).toMatchObject([{ met: true }, { met: false, required: true }]);
  const low = checked([limit(true, true), limit(false, false)]);
  expect([low.status, low.text]).toEqual([0, expect.stringMatching(/ low /)]);
});
