import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { createClientAddress } from "./client-address";

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;

it("ignores X-Forwarded-For by default", () => {
  expect(createClientAddress([])(from("203.0.113.9", "10.0.0.1"))).toBe("203.0.113.9");
});

it("uses the nearest hop that is not a trusted proxy, whatever comes before it", () => {
  const addressOf = createClientAddress(["10.0.0.0/8", "::1"]);
  expect(addressOf(from("10.1.2.3", "1.2.3.4, 198.51.100.7, 10.9.9.9"))).toBe("198.51.100.7");
  expect(addressOf(from("::1", "198.51.100.7"))).toBe("198.51.100.7");
  expect(addressOf(from("203.0.113.9", "198.51.100.7"))).toBe("203.0.113.9");
});

it("stops at an invalid address", () => {
  expect(createClientAddress(["10.0.0.0/8"])(from("10.1.2.3", "198.51.100.7, evil"))).toBe("10.1.2.3");
});

it("returns one address per client, however it is written", () => {
  const addressOf = createClientAddress([]);
  expect(addressOf(from("::ffff:203.0.113.9"))).toBe("203.0.113.9");
  expect(addressOf(from("2001:DB8:0:0::1"))).toBe(addressOf(from("2001:db8::1")));
});

it("rejects an invalid trusted proxy and names it", () => {
  expect(() => createClientAddress(["10.0.0.0/99"])).toThrowError(/TRUSTED_PROXIES: "10.0.0.0\/99"/);
});
