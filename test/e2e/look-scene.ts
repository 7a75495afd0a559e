import { expect } from "vitest";
import { newId } from "../../server/kernel/ids";
import { inDatabase, type OwnDemo } from "../factories/shared-server";
import { click, post, reportCounts, reportSeen, serveOffers } from "./dashboard-visit";

/** Ids and links of what `fillTenant` makes. */
export interface LookScene {
  queueId: string;
  secretId: string;
  webhookId: string;
  functionId: string;
  invoiceId: string;
  /** The link of an open invitation, as the outbox of who invites shows it. */
  invitationLink: string;
}

/** Gives a tenant something of everything that its pages list, plot and count, in live mode; chat in test mode. */
export async function fillTenant(server: OwnDemo): Promise<Omit<LookScene, "invitationLink">> {
  const make = makerOf(server, server.demo.api.live_key);
  await make("queues", { name: "jobs-failed" });
  const [queueId, secretId, webhookId, functionId, invoiceId] = await Promise.all([
    make("queues", { name: "jobs", dlq: "jobs-failed", max_receives: 2 }),
    make("secrets", { name: "TLS_KEY", value: "first" }),
    make("webhooks", { name: "Sync", url: "https://hooks.example/svc", events: ["project.*"] }),
    make("functions", { name: "prices" }),
    makeInvoice(server),
    makeTraffic(server),
    makeChat(server),
  ]);
  await post(`${server.url}/v1/queues/jobs/send`, keyOf(server.demo.api.live_key), { body: { to: "ada" } });
  return { queueId, secretId, webhookId, functionId, invoiceId };
}

const keyOf = (key: string) => ({ authorization: `Bearer ${key}` });

const makerOf =
  ({ url }: OwnDemo, key: string) =>
  async (path: string, body: object): Promise<string> => {
    const answer = await post(`${url}/v1/${path}`, keyOf(key), body);
    expect([path, answer.status]).toEqual([path, 201]);
    return ((await answer.json()) as { id: string }).id;
  };

/** Offers that were served, seen and clicked, and an order. */
async function makeTraffic({ url, demo }: OwnDemo): Promise<void> {
  const key = demo.channel.server_key;
  const offers = await serveOffers(url, key, { query: "running shoes", limit: 3, geo: "US" });
  await reportSeen(url, key, offers);
  const [seen] = offers;
  const clickId = seen && (await click(seen));
  const body = { order_id: "ORDER-1", value_micros: 49_900_000, ...(clickId && { click_id: clickId }) };
  const order = await post(`${url}/api/v1/conversions`, keyOf(demo.api.live_key), body);
  expect(order.status).toBe(201);
  await reportCounts({ url, demo }, offers.length);
}

async function makeChat(server: OwnDemo): Promise<void> {
  const key = server.demo.api.test_key;
  const make = makerOf(server, key);
  await make("gateway/budgets", { name: "Trial", tokens: 100_000, window: "month" });
  const messages = [{ role: "user", content: "Hello" }];
  const answer = await post(`${server.url}/v1/chat/completions`, keyOf(key), { model: "svc-echo", messages });
  expect(answer.status).toBe(200);
  const models = [{ name: "small", input_price: "0.15", output_price: "0.60" }];
  await makerOf(server, server.demo.api.live_key)("gateway/upstreams", {
    name: "vendor",
    base_url: "https://models.example/v1",
    models,
  });
}

/** Invoices are created when a month ends. */
async function makeInvoice(server: OwnDemo): Promise<string> {
  const id = newId("ivc", Date.now());
  const [exactNanos, at] = [1_250_000_000n, new Date()];
  await inDatabase(server, ({ db }) =>
    db.invoice.create({
      data: {
        id,
        tenantId: server.demo.api.tenant_id,
        mode: "live",
        month: "2026-01",
        currency: "USD",
        status: "open",
        simulated: false,
        exactNanos,
        totalMinor: 125n,
        createdAt: at,
        openedAt: at,
        lines: {
          create: {
            number: 1,
            service: "pods",
            sku: "h100",
            purchase: "on_demand",
            unit: "second",
            quantity: 3600n,
            priceQuantity: 3600,
            priceNanos: exactNanos,
            amountNanos: exactNanos,
          },
        },
      },
    }),
  );
  return id;
}
