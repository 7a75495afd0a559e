import { GppModel } from "@iabgpp/cmpapi";
import { ALL, bothOf, NONE, type Rights, rightsOfPurposes } from "./rights";
import { isRecent, type Reading } from "./tcf-rights";

/** Section ids of the IAB's Global Privacy Platform. */
const TCF_EU_V2 = 2;
const TCF_CANADA_V1 = 5;
const US_PRIVACY_V1 = 6;
/** The US national section; the states' sections follow. */
const US_FIRST = 7;
/** The `gpp_sid` of a visitor to whom no section applies. */
const NOTHING_APPLIES = -1;

const OPTED_OUT = 1;
const OPT_OUTS = ["SaleOptOut", "SharingOptOut", "TargetedAdvertisingOptOut"];

type Section = Readonly<Record<string, unknown>>;

/**
 * What the applicable sections of an IAB GPP string allow together; nothing if one is missing, unknown or unreadable.
 */
export function gppRights(text: string, applicable: readonly number[] | undefined, reading: Reading): Rights {
  if (applicable?.includes(NOTHING_APPLIES)) return ALL;
  try {
    const model = new GppModel(text);
    const present = model.getSectionIds() as number[];
    const requested = applicable && applicable.length > 0 ? applicable : present;
    if (requested.some((id) => !present.includes(id))) return NONE;
    return requested.map((id) => sectionRights(model, id, reading)).reduce(bothOf, ALL);
  } catch {
    return NONE;
  }
}

function sectionRights(model: GppModel, id: number, reading: Reading): Rights {
  if (id === TCF_EU_V2) return europeanRights(sectionOf(model, "tcfeuv2"), reading);
  if (id === TCF_CANADA_V1) return canadianRights(sectionOf(model, "tcfcav1"), reading);
  if (id === US_PRIVACY_V1) return /^1.N/.test(String(model.encodeSectionById(id))) ? ALL : NONE;
  return id >= US_FIRST && mayShare((name) => fieldOf(model, id, name)) ? ALL : NONE;
}

/** Requires no opt-out of sale, sharing or targeted advertising, no Global Privacy Control and no known child. */
function mayShare(field: (name: string) => unknown): boolean {
  if (OPT_OUTS.some((name) => field(name) === OPTED_OUT) || field("Gpc") === true) return false;
  const children = [field("KnownChildSensitiveDataConsents") ?? 0].flat();
  return children.every((consent) => consent === 0);
}

const fieldOf = (model: GppModel, id: number, name: string): unknown =>
  model.hasFieldBySectionId(id, name) ? model.getFieldValueBySectionId(id, name) : undefined;

const sectionOf = (model: GppModel, name: string): Section => model.getSection(name) as Section;

/** Vendors are not checked here: a page that knows the vendor sends the TCF string itself. */
function europeanRights(section: Section, { now }: Reading): Rights {
  if (!isRecent(section.LastUpdated as Date, now)) return NONE;
  const [consents, interests] = [section.PurposeConsents, section.PurposeLegitimateInterests] as boolean[][];
  return rightsOfPurposes((purpose, basis) =>
    Boolean(consents?.[purpose - 1] || (basis === "either" && interests?.[purpose - 1])),
  );
}

function canadianRights(section: Section, { now }: Reading): Rights {
  if (!isRecent(section.LastUpdated as Date, now)) return NONE;
  const [express, implied] = [section.PurposesExpressConsent, section.PurposesImpliedConsent] as boolean[][];
  return rightsOfPurposes((purpose) => Boolean(express?.[purpose - 1] || implied?.[purpose - 1]));
}
