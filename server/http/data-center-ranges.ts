import { readFileSync, unwatchFile, watchFile } from "node:fs";
import ipaddr from "ipaddr.js";
import type { Logger } from "pino";

const LOOK_EVERY_MS = 30_000;
const BITS = 128;
/** IPv4 networks are compared among the IPv6 ones that stand for them (RFC 4291, ::ffff:0:0/96). */
const MAPPED_BITS = 96;

/** Networks from first to last address, in order and disjoint; addresses as 32 hex digits, which sort as they count. */
export type AddressRanges = readonly (readonly [first: string, last: string])[];

export interface DataCenters {
  has(address: string): boolean;
  stop(): void;
}

/**
 * Keeps the networks of a file: one in CIDR notation or one address a line, `#` begins a comment. The file is read again
 * within 30 s of a change; a change that cannot be read is logged and the networks before it stay. Throws a sentence
 * that names the file and the line.
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
      log.info({ file, ranges: ranges.length }, "data-centre ranges read again");
    } catch (err) {
      log.error({ err, file }, "the changed data-centre ranges cannot be read; those before stay");
    }
  };
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
  return { has: (address) => isWithin(ranges, address), stop: () => unwatchFile(file, onChange) };
}

/** Throws a sentence that names the first line that is neither empty, a comment, a network nor an address. */
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

/** By binary search; false for what is no address. */
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
