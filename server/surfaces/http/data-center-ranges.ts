import { readFileSync, unwatchFile, watchFile } from "node:fs";
import ipaddr from "ipaddr.js";
import type { Logger } from "pino";

const LOOK_EVERY_MS = 30_000;
const BITS = 128;
/** IPv4 networks are compared as IPv4-mapped IPv6 networks (RFC 4291, ::ffff:0:0/96). */
const MAPPED_BITS = 96;

/**
 * Networks as first and last address, sorted and disjoint; addresses are 32 hex digits, whose text order is their
 * numeric order.
 */
export type AddressRanges = readonly (readonly [first: string, last: string])[];

export interface DataCenters {
  has(address: string): boolean;
  stop(): void;
}

/**
 * Loads the networks of a file: one network in CIDR notation or address per line; `#` starts a comment. The file is
 * read again within 30 s of a change; if it is invalid, this is logged and the previous networks stay in use. Throws an
 * error that names the file and the line.
 */
export function watchDataCenters(file: string | undefined, log: Pick<Logger, "info" | "error">): DataCenters {
  if (file === undefined) return { has: () => false, stop: () => undefined };
  const read = () => parseRanges(readFileSync(file, "utf8"));
  let ranges: AddressRanges;
  try {
    ranges = read();
  } catch (cause) {
    throw new Error(`SVC_DATA_CENTER_RANGES: ${file}: ${(cause as Error).message}`, { cause });
  }
  const onChange = () => {
    try {
      ranges = read();
      log.info({ file, ranges: ranges.length }, "data center ranges reloaded");
    } catch (err) {
      log.error({ err, file }, "the changed data center ranges are invalid; the previous ones stay in use");
    }
  };
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
  return { has: (address) => isWithin(ranges, address), stop: () => unwatchFile(file, onChange) };
}

/** Throws an error that names the first line that is neither empty, a comment, a network nor an address. */
export function parseRanges(text: string): AddressRanges {
  const ranges = text.split("\n").flatMap((line, i) => {
    const network = line.replace(/#.*$/, "").trim();
    return network === "" ? [] : [rangeOf(network, i + 1)];
  });
  ranges.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const merged: [string, string][] = [];
  for (const [first, last] of ranges) {
    const before = merged.at(-1);
    if (!before || first > before[1]) merged.push([first, last]);
    else if (last > before[1]) before[1] = last;
  }
  return merged;
}

/** Uses binary search; returns false for text that is not an address. */
export function isWithin(ranges: AddressRanges, address: string): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const asked = digitsOf(ipaddr.parse(address));
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? "") <= asked) low = middle + 1;
    else high = middle;
  }
  return asked <= (ranges[low - 1]?.[1] ?? "");
}

function rangeOf(network: string, line: number): [string, string] {
  try {
    const [address, bits] = network.includes("/") ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), undefined];
    const wide = bits === undefined ? BITS : bits + (address.kind() === "ipv4" ? MAPPED_BITS : 0);
    const rest = (1n << BigInt(BITS - wide)) - 1n;
    const first = BigInt(`0x${digitsOf(address)}`) & ~rest;
    return [hex(first), hex(first | rest)];
  } catch {
    throw new Error(
      `line ${line}: "${network.slice(0, 60)}" is neither a network such as 192.0.2.0/24 or 2001:db8::/32 nor an address.`,
    );
  }
}

function digitsOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const wide = address.kind() === "ipv4" ? (address as ipaddr.IPv4).toIPv4MappedAddress() : address;
  return wide
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

const hex = (value: bigint): string => value.toString(16).padStart(BITS / 4, "0");
