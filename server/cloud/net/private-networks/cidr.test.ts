import { expect, it } from "vitest";
import { contains, freeAddress, hostsOf, isHost, isPrivate, overlap, parseCidr } from "./cidr";

const cidr = (text: string) => {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`${text} is not valid.`);
  return parsed;
};

it("reads ranges that begin with their first address only", () => {
  expect(parseCidr("10.0.0.0/24")).toEqual({ first: 167_772_160, prefixLength: 24 });
  for (const bad of ["10.0.0.1/24", "10.0.0.0", "10.0.0.0/33", "256.0.0.0/8", "::/64", "0x0a.0.0.0/8", "10.0.0.0/24 "])
    expect(parseCidr(bad)).toBeUndefined();
});

it("knows private ranges, and which ranges contain and overlap each other", () => {
  expect(["10.1.0.0/16", "172.31.0.0/16", "192.168.4.0/28"].map(cidr).every(isPrivate)).toBe(true);
  expect(["11.0.0.0/16", "172.32.0.0/16", "8.8.8.0/24"].map(cidr).some(isPrivate)).toBe(false);
  expect(contains(cidr("10.0.0.0/16"), cidr("10.0.255.0/24"))).toBe(true);
  expect(contains(cidr("10.0.0.0/16"), cidr("10.1.0.0/24"))).toBe(false);
  expect(overlap(cidr("10.0.0.0/24"), cidr("10.0.0.128/25"))).toBe(true);
  expect(overlap(cidr("10.0.0.0/25"), cidr("10.0.0.128/25"))).toBe(false);
});

it("gives the lowest free address, never one that is reserved, until there is none", () => {
  const range = cidr("10.0.0.16/28");
  const taken = new Set<string>();
  for (let next = freeAddress(range, taken); next !== undefined; next = freeAddress(range, taken)) taken.add(next);
  expect([...taken]).toEqual(Array.from({ length: 11 }, (_, i) => `10.0.0.${20 + i}`));
  expect([...taken].every((address) => isHost(range, address))).toBe(true);
  expect(["10.0.0.16", "10.0.0.19", "10.0.0.31", "10.0.0.32"].some((address) => isHost(range, address))).toBe(false);
  expect(hostsOf(range)).toBe(11);
  taken.delete("10.0.0.23");
  expect(freeAddress(range, taken)).toBe("10.0.0.23");
});
