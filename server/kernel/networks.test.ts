import { expect, it } from "vitest";
import { isInNetworks, isWithinNetworks, type Network, parseNetwork } from "./networks";

const networks = (...texts: string[]): Network[] => texts.map((text) => parseNetwork(text) ?? expect.fail(text));

it.each([
  ["192.0.2.0/24", "192.0.2.255", "192.0.3.0"],
  ["192.0.2.9/24", "192.0.2.255", "192.0.3.0"],
  ["192.0.2.9", "192.0.2.9", "192.0.2.10"],
  ["0.0.0.0/0", "255.255.255.255", "2001:db8::1"],
  ["2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"],
  ["::ffff:192.0.2.0/120", "192.0.2.1", "192.0.3.1"],
  ["::ffff:192.0.2.9", "192.0.2.9", "192.0.2.10"],
  ["192.0.2.0/24", "::ffff:192.0.2.1", "::ffff:192.0.3.1"],
])("%s contains %s and not %s", (network, inside, outside) => {
  expect(isInNetworks(networks(network), inside)).toBe(true);
  expect(isInNetworks(networks(network), outside)).toBe(false);
});

it.each(["", "10", "10/8", "0x7f.0.0.1", "010.0.0.1", "10.0.0.0/33", "::/129", "fe80::1%eth0", "fe80::%1/64", "host"])(
  "%j is not a network",
  (text) => expect(parseNetwork(text)).toBeUndefined(),
);

it("an invalid address is in no network, and an empty list contains no address", () => {
  expect(isInNetworks(networks("0.0.0.0/0", "::/0"), "unknown")).toBe(false);
  expect(isInNetworks([], "192.0.2.1")).toBe(false);
});

it("detects whether a whole network is inside others", () => {
  const [half, whole, other] = networks("192.0.2.128/25", "192.0.2.0/24", "::/0");
  if (!half || !whole || !other) return expect.fail();
  expect(isWithinNetworks([other, whole], half)).toBe(true);
  expect(isWithinNetworks([half], whole)).toBe(false);
  expect(isWithinNetworks([other], half)).toBe(false);
});
