import {
  choiceIn,
  choicesIn,
  linesIn,
  microsIn,
  microsOrNullIn,
  numberIn,
  textIn,
} from "../../components/form/read-fields";
import { FieldError } from "../../trpc/failure";
import { CAP_UNITS, type CapUnit, DEVICES, MATCHES } from "./campaign-choices";

/** What the campaign form holds, in the names and units of the API. Throws a FieldError for what cannot be read. */
export const readCampaign = (fields: FormData) => ({
  name: textIn(fields, "name"),
  bid_micros: microsIn(fields, "bid_micros"),
  daily_budget_micros: microsOrNullIn(fields, "daily_budget_micros"),
  total_budget_micros: microsOrNullIn(fields, "total_budget_micros"),
  starts_at: momentIn(fields, "starts_at"),
  ends_at: momentIn(fields, "ends_at"),
  timezone: textIn(fields, "timezone"),
  pacing: choiceIn(fields, "pacing", ["even", "asap"]),
  reach: choiceIn(fields, "reach", ["tenant", "network"]),
  caps: capsIn(fields),
  keywords: MATCHES.flatMap(({ match }) => linesIn(fields, `keywords.${match}`).map((text) => ({ text, match }))),
  targeting: {
    geos: linesIn(fields, "targeting.geos"),
    devices: choicesIn(fields, "targeting.devices", DEVICES),
    locales: linesIn(fields, "targeting.locales"),
    placements: linesIn(fields, "targeting.placements"),
    categories: linesIn(fields, "targeting.categories"),
    channels: linesIn(fields, "targeting.channels"),
  },
  attribution: {
    click_days: numberIn(fields, "attribution.click_days"),
    view_days: numberIn(fields, "attribution.view_days"),
  },
});

/** A `datetime-local` field stands in the reader's time zone; empty is null. */
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
      window_seconds: numberIn(fields, `caps[${row}].window_seconds`) * CAP_UNITS[unit],
      per: choiceIn(fields, `caps[${row}].per`, ["campaign", "advertiser", "channel"]),
    };
  });
}
