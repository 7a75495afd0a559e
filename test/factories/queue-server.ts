import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Stored {
  id: string;
  body: unknown;
  group_id: string | null;
  receive_count: number;
  sent_at: string;
  receipt: string;
}
/** A message as `receive` returns it. */
export const messageOf = (
  n: number,
  { body = { n }, group = null }: { body?: unknown; group?: string | null } = {},
): Stored => ({
  id: `msg_${n}`,
  body,
  group_id: group,
  receive_count: 0,
  sent_at: "2027-01-15T08:00:00.000Z",
  receipt: `rcp_${n}`,
});

/** A svc with one queue, that delivers every message once; what a test returns to it, it only records. */
export async function queueServer(waiting: Stored[], { visibility = 30 } = {}) {
  const state = {
    waiting,
    visibility,
    status: 200,
    queueStatus: 200,
    expired: new Set<string>(),
    acknowledged: [] as string[],
    extended: [] as string[],
    returned: [] as [string, number][],
    asked: [] as string[],
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://svc");
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const fail = (status: number, code: string): void =>
      send(status, { error: { code, message: `The queue says ${code}.`, request_id: "r" } });
    const input = text === "" ? {} : JSON.parse(text);
    const receipts: string[] = input.receipts ?? [];
    const outcomes = {
      data: receipts.map((receipt) => ({ receipt, outcome: state.expired.has(receipt) ? "lease_expired" : "ok" })),
    };
    if (pathname === "/v1/queues/orders") {
      if (state.queueStatus !== 200)
        return fail(state.queueStatus, state.queueStatus === 404 ? "not_found" : "forbidden");
      return send(200, { id: "que_1", name: "orders", visibility_timeout_s: state.visibility });
    }
    if (pathname.endsWith("/receive")) state.asked.push(searchParams.toString());
    if (state.status !== 200) return fail(state.status, state.status === 401 ? "unauthorized" : "unavailable");
    if (pathname.endsWith("/acknowledge"))
      state.acknowledged.push(...receipts.filter((one) => !state.expired.has(one)));
    else if (pathname.endsWith("/extend")) state.extended.push(...receipts);
    else if (pathname.endsWith("/return"))
      state.returned.push(...receipts.map((one): [string, number] => [one, input.delay_seconds]));
    else {
      const isGone = (): boolean => response.destroyed;
      const until = Date.now() + Number(searchParams.get("wait_seconds")) * 1000;
      while (state.waiting.length === 0 && state.status === 200 && Date.now() < until && !isGone()) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      if (isGone()) return;
      const data = state.waiting.splice(0, Number(searchParams.get("max_messages")));
      for (const message of data) message.receive_count++;
      return send(200, { data });
    }
    send(200, outcomes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, close };
}
