import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { webhookTest } from "../../../../test/factories/webhooks";
import { DeliveryLoop } from "./delivery-loop";
import { noWebhookStep } from "./steps";

const test = await openForFile(webhookTest());

it("60 slow endpoints of A leave attempts to those of B, and go on when one has responded", async () => {
  const [a, b] = [await test.tenant(), await test.tenant()];
  for (let i = 0; i < 60; i++) await a.webhook(`slow-${i}.example`);
  await b.webhook("quick.example");
  for (let i = 0; i < 10; i++) await a.record(`of a ${i}`);
  const started: { tenantId: string; end: () => void }[] = [];
  let rounds = 0;
  const loop = new DeliveryLoop({
    sql: test.sql,
    clock: test.clock,
    log: { error: () => undefined },
    atStep: noWebhookStep,
    sender: {
      attempt: ({ event: { tenantId } }) => new Promise((end) => started.push({ tenantId, end: () => end() })),
    },
    onRoom: () => rounds++,
  });
  const startedOf = ({ tenantId }: { tenantId: string }) => started.filter((one) => one.tenantId === tenantId);
  while (await loop.round());
  expect(startedOf(a)).toHaveLength(125);
  await b.record("of b");
  while (await loop.round());
  expect(startedOf(b)).toHaveLength(1);
  started[0]?.end();
  await expect.poll(() => rounds).toBe(1);
  while (await loop.round());
  expect(startedOf(a)).toHaveLength(126);
  for (const { end } of started) end();
  await loop.idle();
});
