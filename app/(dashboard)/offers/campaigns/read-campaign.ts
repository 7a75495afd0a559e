import { choicesPickedIn, findChoice, pickedIn } from "../../../components/form/choices";
import {
  choiceIn,
  choicesIn,
  linesIn,
  microsIn,
  microsOrNullIn,
  numberIn,
  textIn,
} from "../../../components/form/read-fields";
import { COUNTRIES, LANGUAGES } from "../../../format/places";
import { FieldError } from "../../../trpc/failure";
import { DEVICES } from "../components/devices";
import { CAP_UNITS, type CapUnit, MATCHES } from "./campaign-choices";

const CAP_DAYS_MAX = 180;

/** What identifies a campaign. Throws a FieldError for what is missing. */
export function readNaming(fields: FormData) {
  const name = textIn(fields, "name");
  if (name === "") throw new FieldError("name", "Fill in this field.");
  return { name };
}

/** On whose channels, for which searches and to whom a campaign shows. Throws a FieldError for what cannot be read. */
export const readAudience = (fields: FormData) => ({
  reach: choiceIn(fields, "reach", ["tenant", "network"]),
  keywords: MATCHES.flatMap(({ match }) => linesIn(fields, `keywords.${match}`).map((text) => ({ text, match }))),
  targeting: {
    geos: choicesPickedIn(fields, "targeting.geos", { choices: COUNTRIES, noun: "country" }),
    devices: choicesIn(fields, "targeting.devices", DEVICES),
    locales: pickedIn(fields, "targeting.locales").map((tag) => findChoice(LANGUAGES, tag)?.value ?? tag),
    placements: pickedIn(fields, "targeting.placements"),
    categories: pickedIn(fields, "targeting.categories"),
    channels: fields.getAll("targeting.channels").map(String),
  },
});

/** What a campaign spends, when, and how it counts. Throws a FieldError for what cannot be read. */
export const readBudget = (fields: FormData) => ({
  bid_micros: microsIn(fields, "bid_micros"),
  daily_budget_micros: microsOrNullIn(fields, "daily_budget_micros"),
  total_budget_micros: microsOrNullIn(fields, "total_budget_micros"),
  starts_at: momentIn(fields, "starts_at"),
  ends_at: momentIn(fields, "ends_at"),
  timezone: textIn(fields, "timezone"),
  pacing: choiceIn(fields, "pacing", ["even", "asap"]),
  caps: capsIn(fields),
  attribution: {
    click_days: numberIn(fields, "attribution.click_days"),
    view_days: numberIn(fields, "attribution.view_days"),
  },
});

/** What the campaign form holds, in the names and units of the API. Throws a FieldError for what cannot be read. */
export const readCampaign = (fields: FormData) => ({
  ...readNaming(fields),
  ...readAudience(fields),
  ...readBudget(fields),
});

/** Where the form shows a failure of the API: `keywords[3].text` is one entry in the list of its match. */
export function campaignField(param: string, keywords: readonly { match: string }[] = []): string {
  if (param === "keywords") return KEYWORDS_AS_A_WHOLE;
  const place = Number(/^keywords\[(\d+)\]/.exec(param)?.[1] ?? Number.NaN);
  const match = keywords[place]?.match;
  if (match === undefined) return param;
  const entry = keywords.slice(0, place).filter((keyword) => keyword.match === match).length;
  return `keywords.${match}[${entry}]`;
}

/** What is wrong with all four lists together. */
export const KEYWORDS_AS_A_WHOLE = "keywords.all";

/** A `datetime-local` field is in the user's time zone; empty is null. */
function momentIn(fields: FormData, name: string): string | null {
  const text = textIn(fields, name);
  if (text === "") return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new FieldError(name, "Choose a day and a time.");
  return at.toISOString();
}

function capsIn(fields: FormData) {
  const rows = Number(textIn(fields, "caps_rows"));
  return Array.from({ length: rows }, (_, row) => {
    const unit = choiceIn<CapUnit>(fields, `caps[${row}].unit`, ["minute", "hour", "day"]);
    return {
      count: numberIn(fields, `caps[${row}].count`),
      window_seconds: windowIn(fields, `caps[${row}].window_seconds`, unit),
      per: choiceIn(fields, `caps[${row}].per`, ["campaign", "advertiser", "channel"]),
    };
  });
}

/** Checked here, because the API speaks of seconds where the form has units to choose from. */
function windowIn(fields: FormData, name: string, unit: CapUnit): number {
  const count = numberIn(fields, name);
  if (!Number.isInteger(count) || count < 1) throw new FieldError(name, "Enter a whole number of at least 1.");
  const seconds = count * CAP_UNITS[unit];
  if (seconds > CAP_DAYS_MAX * CAP_UNITS.day) throw new FieldError(name, `At most ${CAP_DAYS_MAX} days.`);
  return seconds;
}
