import { RESTRICTION, readTcString, type TcString } from "./read-tc-string";
import { NONE, type Rights, rightsOfPurposes } from "./rights";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Consent must be renewed after 13 months at the latest (TCF policies); older consent is ignored. */
const ANSWER_LIFE_MS = 396 * DAY_MS;
const CLOCKS_DIFFER_MS = DAY_MS;
/** A TC string made from this day on lists the vendors that the visitor was told of (TCF 2.3). */
const DISCLOSED_FROM = new Date("2026-03-01T00:00:00Z");

export interface Reading {
  now: Date;
  vendorId: number | undefined;
}

/**
 * What an IAB TCF v2 string allows; nothing if it is unreadable, too old or dated in the future, if it does not list
 * disclosed vendors and must, and if this installation is a vendor that its list lacks.
 */
export function tcfRights(text: string, { now, vendorId }: Reading): Rights {
  let read: TcString;
  try {
    read = readTcString(text, vendorId);
  } catch {
    return NONE;
  }
  const { updated, isDisclosed } = read;
  if (!isRecent(updated, now) || !(isDisclosed ?? updated < DISCLOSED_FROM)) return NONE;
  return rightsOfPurposes((purpose, basis) => {
    const restriction = read.restrictions.get(purpose);
    if (restriction === RESTRICTION.notAllowed) return false;
    const consented = read.consents[purpose - 1] === true && read.hasConsent;
    if (consented && restriction !== RESTRICTION.requireInterest) return true;
    if (basis === "consent" || restriction === RESTRICTION.requireConsent) return false;
    return read.interests[purpose - 1] === true && read.hasInterest;
  });
}

export const isRecent = (updated: Date, now: Date): boolean =>
  updated.getTime() >= now.getTime() - ANSWER_LIFE_MS && updated.getTime() <= now.getTime() + CLOCKS_DIFFER_MS;
