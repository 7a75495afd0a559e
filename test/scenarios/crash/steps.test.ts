import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Step } from "../../../server/ads/events/steps";
import { makePlace, type Place, type ServerProcess, startProcess } from "./server-process";
import { drive, expectExact, Ledger, sendAgain } from "./traffic";

/** How often the server comes by before it dies: some events are through, others are on every stage of their way. */
const PASSES: Record<Step, number> = {
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
}, 120_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 60_000);

describe("kill -9 of the server", () => {
  it.each(Object.keys(PASSES) as Step[])(
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
    120_000,
  );
});
