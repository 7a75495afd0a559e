import { GppModel } from "@iabgpp/cmpapi";
import { ConsentBits } from "./consent-bits";
import { readGppHeader } from "./gpp-header";
import { ALL, bothOf, NONE, type Rights, rightsOfPurposes } from "./rights";
import { isRecent, type Reading, tcfRights } from "./tcf-rights";

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

const CANADIAN_VERSION = 1;
const PURPOSES = 24;

/**
 * What the applicable sections of an IAB GPP string allow together; nothing if one is missing, unknown or unreadable.
 */
export function gppRights(text: string, applicable: readonly number[] | undefined, reading: Reading): Rights {
  if (applicable?.includes(NOTHING_APPLIES)) return ALL;
  try {
    // A plain TC string is accepted, too.
    const listed = text.startsWith("C") ? [TCF_EU_V2] : readGppHeader(text.split("~")[0] ?? "");
    const model = new GppModel(text);
    const readable = model.getSectionIds() as number[];
    const requested = applicable && applicable.length > 0 ? applicable : listed;
    if (requested.some((id) => !readable.includes(id))) return NONE;
    return requested.map((id) => sectionRights(model, id, reading)).reduce(bothOf, ALL);
  } catch {
    return NONE;
  }
}

function sectionRights(model: GppModel, id: number, reading: Reading): Rights {
  // The text of a section as it was sent: the model would list every vendor that it names.
  if (id === TCF_EU_V2) return tcfRights(String(model.encodeSectionById(id)), reading);
  if (id === TCF_CANADA_V1) return canadianRights(String(model.encodeSectionById(id)), reading);
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

/** The first segment of a Canadian section, version 1; its vendors are on another list than svc's. */
function canadianRights(section: string, { now }: Reading): Rights {
  const bits = new ConsentBits(section.split(".")[0] ?? "");
  if (bits.number(6) !== CANADIAN_VERSION) return NONE;
  bits.date();
  if (!isRecent(bits.date(), now)) return NONE;
  // The consent platform, the list of vendors and the policy, and the special features.
  bits.skip(12 + 12 + 6 + 12 + 12 + 6 + 1 + 12);
  const [express, implied] = [bits.flags(PURPOSES), bits.flags(PURPOSES)];
  return rightsOfPurposes((purpose) => Boolean(express[purpose - 1] || implied[purpose - 1]));
}
