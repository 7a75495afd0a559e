import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Step } from "../../../server/ads/events/steps";
import { sampled } from "../../factories/sampled";
import { makePlace, type Place, type ServerProcess, startProcess } from "./server-process";
import { drive, expectExact, Ledger, sendAgain } from "./traffic";

/** How often the server comes by before it dies: some events are through, others are on every stage of their way. */
const PASSES: Record<Exclude<Step, "answer.kept">, number> = {
  "claim.sent": 12,
  "claim.committed": 12,
  "facts.inserted": 4,
  "replay.claimed": 4,
  "outbox.sliced": 4,
  "outbox.inserted": 4,
};

let place: Place;
let server: ServerProcess;
const ledger = new Ledger();
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 300_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 300_000);

describe("kill -9 of the server", () => {
  it.each(sampled(Object.keys(PASSES) as (keyof typeof PASSES)[], 3))(
    "at %s loses no acknowledged event and doubles none",
    async (step) => {
      const before = ledger.seen.size;
      await server.trap(step, PASSES[step]);
      await drive(server, ledger);
      expect(await server.ended).toBe("SIGKILL");
      expect(ledger.seen.size).toBeGreaterThan(before);
      server = await startProcess(place);
      await sendAgain(server, ledger);
      await expectExact(server, ledger);
    },
    300_000,
  );

  it("just before a creation is committed leaves nothing of it, and the next try with the same key creates at once", async () => {
    const key = randomUUID();
    const create = () =>
      fetch(`${server.url}/v1/ads/channels`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${server.keys.live}`,
          "idempotency-key": key,
        },
        body: JSON.stringify({ name: "made once" }),
      });
    await server.trap("answer.kept");
    await expect(create()).rejects.toThrow();
    expect(await server.ended).toBe("SIGKILL");
    server = await startProcess(place);
    const made = await create();
    expect([made.status, made.headers.get("idempotency-replayed")]).toEqual([201, null]);
    const again = await create();
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(await again.text()).toBe(await made.text());
    expect(await server.rows("postgres", "SELECT id FROM channels WHERE name = 'made once'")).toHaveLength(1);
  }, 300_000);
});
