import { findChoice } from "../../../../components/form/choices";
import { COUNTRIES, LANGUAGES } from "../../../../format/places";
import { MATCHES } from "../campaign-choices";
import { REACHES } from "../reach-field";
import { readAudience, readNaming } from "../read-campaign";

interface ReviewRow {
  label: string;
  text: string;
  /** The number of the step that has the field. */
  step: number;
}

/** What the first two steps hold, in words. Throws a FieldError for what cannot be read. */
export function reviewRows(fields: FormData, nameOf: (id: string) => string): ReviewRow[] {
  const { name } = readNaming(fields);
  const { reach, keywords, targeting } = readAudience(fields);
  const { geos, locales, categories, channels, devices, placements } = targeting;
  const audience = [
    { label: "Reach", text: REACHES.find(({ value }) => value === reach)?.label ?? reach },
    { label: "Countries", text: listOrAll(geos.map((geo) => findChoice(COUNTRIES, geo)?.label ?? geo)) },
    { label: "Languages", text: listOrAll(locales.map((tag) => findChoice(LANGUAGES, tag)?.label ?? tag)) },
    { label: "Categories", text: listOrAll(categories) },
    { label: "Channels", text: listOrAll(channels.map(nameOf)) },
    { label: "Keywords", text: keywordsText(keywords) },
    ...(devices.length > 0 ? [{ label: "Devices", text: devices.join(", ") }] : []),
    ...(placements.length > 0 ? [{ label: "Placements", text: placements.join(", ") }] : []),
  ];
  return [
    { label: "Advertiser", text: nameOf(String(fields.get("advertiser_id"))), step: 1 },
    { label: "Name", text: name, step: 1 },
    ...audience.map((row) => ({ ...row, step: 2 })),
  ];
}

const listOrAll = (entries: readonly string[]): string => (entries.length === 0 ? "All" : entries.join(", "));

function keywordsText(keywords: readonly { match: string }[]): string {
  const counts = MATCHES.map(({ match }) => [keywords.filter((keyword) => keyword.match === match).length, match]);
  const text = counts.filter(([count]) => count !== 0).map((count) => count.join(" "));
  return text.length === 0 ? "None: the texts of the creatives are matched" : text.join(", ");
}
