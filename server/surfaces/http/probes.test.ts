import { expect, it } from "vitest";
import { isOperator } from "./operator-access";
import { readyz } from "./probes";

const postgres = { name: "postgres", required: true, ping: async () => undefined };

it("lists what runs pods on each node, and is ready although that cannot be read", async () => {
  const runtime = {
    kind: "namespaces",
    isolation: "None.",
    limits_enforced: true,
    gpu: "simulated" as const,
    reason: null,
  };
  const known = await readyz([postgres], { stopping: false, isDetailed: true, runtimes: async () => [runtime] });
  expect(await known.json()).toEqual({
    status: "ready",
    engines: [{ name: "postgres", required: true, ok: true }],
    runtimes: [runtime],
  });
  const unread = await readyz([postgres], {
    stopping: false,
    isDetailed: true,
    runtimes: () => Promise.reject(new Error("away")),
  });
  expect([unread.status, await unread.json()]).toMatchObject([200, { status: "ready", runtimes: [] }]);
});

it("tells strangers the status alone", async () => {
  const response = await readyz([postgres], { stopping: false, isDetailed: false, runtimes: async () => [] });
  expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
});

const TOKEN = "a-long-enough-token";

it.each([
  { who: "the machine itself in development", isLoopback: true, address: "127.0.0.1", isShown: true },
  { who: "another machine in development", isLoopback: true, address: "203.0.113.9", isShown: false },
  { who: "the machine itself behind a proxy", isLoopback: false, address: "127.0.0.1", isShown: false },
  { who: "who has the token", address: "203.0.113.9", metricsToken: TOKEN, sent: TOKEN, isShown: true },
  { who: "who has another token", address: "203.0.113.9", metricsToken: TOKEN, sent: "another", isShown: false },
  { who: "who sends one where none is set", address: "203.0.113.9", sent: "undefined", isShown: false },
])(
  "details and metrics are shown to $who: $isShown",
  ({ address, sent, isShown, isLoopback = false, metricsToken }) => {
    const headers = new Headers(sent === undefined ? {} : { authorization: `Bearer ${sent}` });
    expect(isOperator({ isLoopback, metricsToken }, { headers }, { address })).toBe(isShown);
  },
);
