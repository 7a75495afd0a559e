import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../../factories/app";
import { sampled } from "../../factories/sampled";
import { makePlace, type ServerProcess, startProcess } from "./server-process";
import { look, report } from "./traffic";

const LIMIT = 2;
const CAPS = JSON.stringify([
  { count: LIMIT, window_seconds: 86_400, per: "campaign" },
  { count: 1000, window_seconds: 180 * 86_400, per: "advertiser" },
]);
const GROUPS = ["first", "second"].map((name) => Array.from({ length: 24 }, (_, i) => `${name}-${i}`));

let server: ServerProcess;
const place = await makePlace();
server = await startProcess(place);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 300_000);

interface HttpResult {
  offers: { id: string }[];
  reason?: string;
}

/** What one user is offered; undefined when no answer came. */
async function ask(userId: string): Promise<HttpResult | undefined> {
  const response = await fetch(`${server.url}/api/v1/offers`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-api-key": server.keys.server },
    body: JSON.stringify({ query: "wireless headphones", user_id: userId }),
  }).catch(() => undefined);
  return response?.status === 200
    ? ((await response.json().catch(() => undefined)) as HttpResult | undefined)
    : undefined;
}

/** The ids that each user was handed. */
type Handed = Map<string, string[]>;

/** Every user asks `rounds` times, side by side, and sees some of what they get; ends early when the server does. */
async function drive(handed: Handed, users: readonly string[], rounds: number): Promise<void> {
  const visit = async (userId: string) => {
    for (let round = 0; round < rounds; round++) {
      const answer = await ask(userId);
      if (!answer) return;
      const ids = answer.offers.map(({ id }) => id);
      handed.set(userId, [...(handed.get(userId) ?? []), ...ids]);
      if (round % 3 === 2) continue;
      await look();
      await report(server, ids);
    }
  };
  await Promise.all(users.map(visit));
}

/** The most offers of one campaign that any user was handed. */
async function mostHanded(handed: Handed): Promise<number> {
  const rows = await server.rows("postgres", "SELECT id::text, campaign_id FROM offers");
  const campaignOf = new Map(rows.map(({ id, campaign_id }) => [id, campaign_id]));
  const counts = [...handed.values()].flatMap((ids) => {
    const campaigns = ids.map((id) => campaignOf.get(id));
    return campaigns.map((one) => campaigns.filter((other) => other === one).length);
  });
  return Math.max(0, ...counts);
}

describe("kill -9 of the server in mid-window", () => {
  it("right after impressions were claimed forgets no place in any cap: nobody gets more than before", async () => {
    await server.rows("postgres", `UPDATE campaigns SET caps = '${CAPS}'::jsonb`);
    await eventually(async () => {
      for (let i = 0; i <= LIMIT; i++) await ask("probe");
      const capped = await server.rows("postgres", "SELECT 1 FROM offers WHERE caps IS NOT NULL LIMIT 1");
      return capped.length > 0;
    });
    const handed: Handed = new Map();
    for (const [i, step] of sampled(["claim.committed", "claim.sent"] as const, 1).entries()) {
      await server.trap(step, 3);
      await drive(handed, GROUPS[i] ?? [], 8);
      server.child.kill("SIGTERM");
      expect(await server.ended, "it ended at the step, not because nothing was claimed").toBe("SIGKILL");
      server = await startProcess(place);
    }
    const [events] = await server.rows("postgres", "SELECT count(*)::int AS n FROM cap_events");
    expect(Number(events?.n)).toBeGreaterThan(0);
    await drive(handed, GROUPS.flat(), 20);
    expect(await mostHanded(handed)).toBe(LIMIT);
    const answers = await Promise.all(GROUPS.flat().map(ask));
    expect(new Set(answers.map((answer) => answer?.reason))).toEqual(new Set(["frequency_cap"]));
    expect((await ask("somebody else"))?.offers).toHaveLength(1);
  }, 300_000);
});
