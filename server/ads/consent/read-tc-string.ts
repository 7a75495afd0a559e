import { ConsentBits } from "./consent-bits";

/** What a publisher restricts a vendor to, for one purpose. */
export const RESTRICTION = { notAllowed: 0, requireConsent: 1, requireInterest: 2 } as const;

/** What a TC string says about one vendor; without a vendor each of its sets is as if it had it. */
export interface TcString {
  /** The later one of the days of its creation and its last change. */
  updated: Date;
  /** By purpose, from purpose 1 on. */
  consents: readonly boolean[];
  interests: readonly boolean[];
  hasConsent: boolean;
  hasInterest: boolean;
  /** undefined: it has no segment of the vendors that were disclosed. */
  isDisclosed: boolean | undefined;
  /** Of the vendor, by purpose: a value of RESTRICTION. */
  restrictions: ReadonlyMap<number, number>;
}

/** The kinds of segments after the first one, by what their text begins with: three bits. */
const SEGMENTS = [/^[I-P]/, /^[Q-X]/, /^[Y-Za-f]/];
const VERSION = 2;
const PURPOSES = 24;

/**
 * Reads an IAB TC string, version 2. Its own reader, because a short text may name every vendor a thousand times, and a
 * reader that lists them blocks the process. Throws for another version, an unknown or a second segment of a kind, and
 * text that is truncated or not base64url.
 */
export function readTcString(text: string, vendorId: number | undefined): TcString {
  const [core = "", ...segments] = text.split(".");
  const kinds = segments.map((segment) => SEGMENTS.findIndex((kind) => kind.test(segment)));
  if (kinds.includes(-1) || new Set(kinds).size < kinds.length) throw new RangeError("unknown segments");
  const disclosed = segments[kinds.indexOf(0)];
  return { ...readCore(core, vendorId), isDisclosed: disclosed === undefined ? undefined : lists(disclosed, vendorId) };
}

function readCore(text: string, vendorId: number | undefined): Omit<TcString, "isDisclosed"> {
  const bits = new ConsentBits(text);
  if (bits.number(6) !== VERSION) throw new RangeError("unknown version");
  const [created, changed] = [bits.date(), bits.date()];
  // The consent platform, the list of vendors and the policy, and the special features.
  bits.skip(12 + 12 + 6 + 12 + 12 + 6 + 1 + 1 + 12);
  const [consents, interests] = [bits.flags(PURPOSES), bits.flags(PURPOSES)];
  // Purpose one and the publisher's country.
  bits.skip(1 + 12);
  return {
    updated: new Date(Math.max(created.getTime(), changed.getTime())),
    consents,
    interests,
    hasConsent: hasVendor(bits, vendorId),
    hasInterest: hasVendor(bits, vendorId),
    restrictions: readRestrictions(bits, vendorId),
  };
}

function lists(segment: string, vendorId: number | undefined): boolean {
  const bits = new ConsentBits(segment);
  bits.skip(3);
  return hasVendor(bits, vendorId);
}

/** Reads a set of vendors to its end. */
function hasVendor(bits: ConsentBits, vendorId: number | undefined): boolean {
  const last = bits.number(16);
  if (bits.flag()) return hasRange(bits, vendorId);
  const vendors = bits.flags(last);
  return vendorId === undefined || vendors[vendorId - 1] === true;
}

function hasRange(bits: ConsentBits, vendorId: number | undefined): boolean {
  let found = vendorId === undefined;
  const entries = bits.number(12);
  for (let i = 0; i < entries; i++) {
    const isRange = bits.flag();
    const from = bits.number(16);
    const to = isRange ? bits.number(16) : from;
    if (to < from) throw new RangeError("a range ends before it begins");
    if (vendorId !== undefined && from <= vendorId && vendorId <= to) found = true;
  }
  return found;
}

function readRestrictions(bits: ConsentBits, vendorId: number | undefined): Map<number, number> {
  const restrictions = new Map<number, number>();
  const count = bits.number(12);
  for (let i = 0; i < count; i++) {
    const [purpose, type] = [bits.number(6), bits.number(2)];
    if (hasRange(bits, vendorId) && vendorId !== undefined) restrictions.set(purpose, type);
  }
  return restrictions;
}
