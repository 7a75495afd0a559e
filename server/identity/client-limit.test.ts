import { expect, it } from "vitest";
import { ClientLimit } from "./client-limit";

it("a client has as many as it may at once, the addresses of an IPv6 /64 together, and others have their own", () => {
  const limit = new ClientLimit({ max: 2, exemptsLoopback: true });
  const leave = limit.enter("2001:db8::1");
  expect(limit.enter("2001:db8::2")).toBeDefined();
  expect(limit.enter("2001:db8::3")).toBeUndefined();
  expect(limit.enter("2001:db8:0:1::1")).toBeDefined();
  leave?.();
  expect(limit.enter("2001:db8::3")).toBeDefined();
});

it("clients on this machine have no limit, if they are exempt", () => {
  for (const exemptsLoopback of [true, false]) {
    const limit = new ClientLimit({ max: 1, exemptsLoopback });
    const entered = ["127.0.0.1", "127.0.0.1", "::ffff:127.0.0.1"].map((address) => limit.enter(address) !== undefined);
    expect(entered).toEqual([true, exemptsLoopback, exemptsLoopback]);
  }
});
