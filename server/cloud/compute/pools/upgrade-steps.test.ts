import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextUpgradeSteps, type UpgradeNode, type UpgradePool, type UpgradeStep } from "./upgrade-steps";

interface Scenario {
  about: string;
  pool: UpgradePool;
  expected: UpgradeStep[];
}

const MINUTE_MS = 60_000;
const folder = path.resolve(import.meta.dirname, "../../../../test/scenarios/fleet-upgrades");
const scenarios = readdirSync(folder).map((name): [string, Scenario] => [
  name,
  JSON.parse(readFileSync(path.join(folder, name), "utf8")),
]);

const nodes: fc.Arbitrary<UpgradeNode[]> = fc
  .array(fc.record({ isCordoned: fc.nat(4).map((n) => n === 0), isEmpty: fc.boolean() }), {
    minLength: 1,
    maxLength: 9,
  })
  .map((given) =>
    given.map((node, i) => ({
      node: `n-${i + 1}`,
      version: "1",
      upgrade: null,
      begunMs: null,
      upgradedMs: null,
      critMs: null,
      ...node,
      drains: false,
    })),
  );
const pools: fc.Arbitrary<UpgradePool> = fc.record({
  state: fc.constant("running" as const),
  strategy: fc.constantFrom("rolling" as const, "blue_green" as const),
  targetVersion: fc.constant("2"),
  maxUnavailable: fc.integer({ min: 1, max: 9 }),
  waitMs: fc.constant(MINUTE_MS),
  nowMs: fc.constant(0),
  nodes,
});

describe("the steps of a fleet upgrade", () => {
  it.each(scenarios)("%s", (_, { about, pool, expected }) => {
    expect(nextUpgradeSteps(pool), about).toEqual(expected);
  });

  it("reach every node that pods leave, and never close more than may be unavailable", () => {
    fc.assert(
      fc.property(pools, fc.infiniteStream(fc.nat(3)), (given, chance) => {
        const others = new Set(given.nodes.filter(({ isCordoned }) => isCordoned).map(({ node }) => node));
        const most = Math.max(given.maxUnavailable, others.size);
        let pool = given;
        for (let round = 0; round < 200; round++) {
          const steps = nextUpgradeSteps(pool);
          const after = steps.reduce(
            (list, step) => list.map((node) => applied(node, step, { pool, others })),
            pool.nodes,
          );
          expect(after.filter(({ isCordoned }) => isCordoned).length).toBeLessThanOrEqual(most);
          if (steps.some(({ step }) => step === "complete")) break;
          // Pods leave nodes that drain, and now and then others as well.
          const left = after.map((node) => ({
            ...node,
            isEmpty: node.isEmpty || node.drains || chance.next().value === 0,
          }));
          pool = { ...pool, nodes: left, nowMs: pool.nowMs + MINUTE_MS };
        }
        const old = pool.nodes.filter(({ version }) => version !== "2").map(({ node }) => node);
        const isStuck = others.size >= given.maxUnavailable;
        if (!isStuck) expect(old).toEqual([]);
        expect(pool.nodes.filter(({ isCordoned }) => isCordoned).every(({ node }) => others.has(node))).toBe(true);
      }),
    );
  });
});

interface Applied {
  pool: UpgradePool;
  /** The nodes that others have cordoned. */
  others: ReadonlySet<string>;
}

/** A node after a step, as the round applies it. */
function applied(node: UpgradeNode, step: UpgradeStep, { pool, others }: Applied): UpgradeNode {
  if (!("node" in step) || step.node !== node.node) return node;
  if (step.step === "begin") {
    const drains = node.isCordoned ? node.drains : step.drains;
    return { ...node, isCordoned: true, drains, upgrade: "emptying", begunMs: pool.nowMs };
  }
  if (step.step === "drain") return { ...node, drains: true };
  if (step.step === "open") return { ...node, isCordoned: others.has(node.node), drains: false, upgrade: null };
  expect(node).toMatchObject({ isCordoned: true, isEmpty: true });
  return { ...node, version: pool.targetVersion, upgrade: "upgraded", upgradedMs: pool.nowMs };
}
