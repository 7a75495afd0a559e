import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface DoubleInvoice {
  id: string;
  object: "invoice";
  status: "draft" | "open" | "paid";
  customer: string;
  metadata: Record<string, string>;
  hosted_invoice_url: string | null;
  lines: { object: "list"; data: { amount: number; description: string }[]; has_more: false; url: string };
}

/**
 * A double of the part of Stripe's API that svc calls, on loopback: a request with a known idempotency key gets the first
 * response again. `forgetKeys` is what happens after a day.
 */
export async function startStripeDouble() {
  const customers: { id: string; object: "customer" }[] = [];
  const invoices: DoubleInvoice[] = [];
  const responses = new Map<string, object>();
  const state = { failures: 0, requests: [] as string[] };

  const find = (id: string | undefined) => invoices.find((one) => one.id === id);
  function answer(method: string, path: string, form: URLSearchParams): object | undefined {
    const [, , noun, id, action] = path.split("/");
    if (method === "POST" && noun === "customers") {
      customers.push({ id: `cus_${customers.length + 1}`, object: "customer" });
      return customers.at(-1);
    }
    if (method === "POST" && noun === "invoiceitems") {
      const amount = Number(form.get("amount"));
      find(form.get("invoice") ?? "")?.lines.data.push({ amount, description: form.get("description") ?? "" });
      return { id: "ii_1", object: "invoiceitem" };
    }
    if (method === "GET" && noun === "invoiceitems") {
      const data = find(form.get("invoice") ?? "")?.lines.data ?? [];
      return { object: "list", data, has_more: false, url: "/v1/invoiceitems" };
    }
    if (noun !== "invoices") return undefined;
    if (method === "GET" && id === undefined) {
      const data = invoices.filter(({ customer }) => customer === form.get("customer"));
      return { object: "list", data, has_more: false, url: "/v1/invoices" };
    }
    if (method === "POST" && id === undefined) {
      const lines = { object: "list" as const, data: [], has_more: false as const, url: "/v1/invoices/lines" };
      const metadata = { svc_invoice_id: form.get("metadata[svc_invoice_id]") ?? "" };
      const made = { id: `in_${invoices.length + 1}`, object: "invoice" as const, status: "draft" as const };
      invoices.push({ ...made, customer: form.get("customer") ?? "", metadata, hosted_invoice_url: null, lines });
      return invoices.at(-1);
    }
    const invoice = find(id);
    if (invoice && action === "finalize")
      Object.assign(invoice, { status: "open", hosted_invoice_url: `https://invoice.example/${id}` });
    return invoice;
  }

  async function respond(incoming: IncomingMessage): Promise<{ status: number; body: object }> {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const method = incoming.method ?? "GET";
    const form = method === "GET" ? url.searchParams : new URLSearchParams(await text(incoming));
    state.requests.push(`${method} ${url.pathname}`);
    if (state.failures > 0) {
      state.failures--;
      return { status: 500, body: { error: { type: "api_error", message: "try again" } } };
    }
    const key = incoming.headers["idempotency-key"];
    const known = typeof key === "string" ? responses.get(key) : undefined;
    const body = known ?? structuredClone(answer(method, url.pathname, form));
    if (!body) return { status: 404, body: { error: { type: "invalid_request_error", message: "no such object" } } };
    if (typeof key === "string") responses.set(key, body);
    return { status: 200, body };
  }

  const server = createServer((incoming, outgoing) => {
    void respond(incoming).then(({ status, body }) =>
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    customers,
    invoices,
    state,
    endpoint: { host: "127.0.0.1", port, protocol: "http" as const },
    forgetKeys: () => responses.clear(),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
