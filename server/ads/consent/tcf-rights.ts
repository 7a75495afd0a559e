import { RestrictionType, type TCModel, TCString } from "@iabtechlabtcf/core";
import { NONE, type Rights, rightsOfPurposes } from "./rights";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Consent must be renewed after 13 months at the latest (TCF policies); older consent is ignored. */
const ANSWER_LIFE_MS = 396 * DAY_MS;
const CLOCKS_DIFFER_MS = DAY_MS;

export interface Reading {
  now: Date;
  vendorId: number | undefined;
}

/** What an IAB TCF v2 string allows; nothing if it is unreadable, too old or dated in the future. */
export function tcfRights(text: string, { now, vendorId }: Reading): Rights {
  let model: TCModel;
  try {
    model = TCString.decode(text);
  } catch {
    return NONE;
  }
  if (!isRecent(model.lastUpdated, now)) return NONE;
  return rightsOfPurposes((purpose, basis) => {
    const restriction = vendorId === undefined ? undefined : restrictionOn(model, vendorId, purpose);
    if (restriction === RestrictionType.NOT_ALLOWED) return false;
    const consented =
      model.purposeConsents.has(purpose) && (vendorId === undefined || model.vendorConsents.has(vendorId));
    if (consented && restriction !== RestrictionType.REQUIRE_LI) return true;
    if (basis === "consent" || restriction === RestrictionType.REQUIRE_CONSENT) return false;
    const isKnown = vendorId === undefined || model.vendorLegitimateInterests.has(vendorId);
    return isKnown && model.purposeLegitimateInterests.has(purpose);
  });
}

export const isRecent = (updated: Date, now: Date): boolean =>
  updated.getTime() >= now.getTime() - ANSWER_LIFE_MS && updated.getTime() <= now.getTime() + CLOCKS_DIFFER_MS;

const restrictionOn = ({ publisherRestrictions }: TCModel, vendorId: number, purpose: number) =>
  publisherRestrictions.getRestrictions(vendorId).find(({ purposeId }) => purposeId === purpose)?.restrictionType;
