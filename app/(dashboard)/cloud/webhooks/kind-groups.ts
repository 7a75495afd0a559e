/** A kind of event, as the picker shows it. */
export interface Kind {
  type: string;
  description: string;
}

export interface KindGroup {
  /** `campaign` of `campaign.created`. */
  noun: string;
  /** Subscribes to all kinds of the noun: `campaign.*`. */
  prefix: string;
  kinds: Kind[];
}

/** Every kind. */
export const ALL_KINDS = "*";

/** The kinds by their noun, in the order of the list. */
export function groupKinds(kinds: readonly Kind[]): KindGroup[] {
  const groups = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const noun = kind.type.slice(0, kind.type.lastIndexOf("."));
    groups.set(noun, [...(groups.get(noun) ?? []), kind]);
  }
  return [...groups].map(([noun, members]) => ({ noun, prefix: `${noun}.*`, kinds: members }));
}

/** The kinds to choose from, and before those of each noun all of it. */
export const kindChoices = (kinds: readonly Kind[]) =>
  groupKinds(kinds).flatMap(({ noun, prefix, kinds: members }) => [
    { value: prefix, label: `All of ${noun}`, group: noun },
    ...members.map(({ type }) => ({ value: type, label: type, group: noun })),
  ]);

/** The groups with only those kinds that contain every word of the query in their name or description. */
export function matchingGroups(groups: readonly KindGroup[], query: string): KindGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ type, description }: Kind) => {
    const text = `${type} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, kinds: group.kinds.filter(matches) }))
    .filter(({ kinds }) => kinds.length > 0);
}

/** Whether a subscription includes a kind or a prefix. */
export const includes = (pattern: string, type: string): boolean =>
  pattern === ALL_KINDS || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)));

/** The subscriptions after one was added, without those that it includes, or removed. */
export const toggled = (chosen: readonly string[], pattern: string): string[] =>
  chosen.includes(pattern)
    ? chosen.filter((one) => one !== pattern)
    : [...chosen.filter((one) => !includes(pattern, one)), pattern];

const SHOWN_MAX = 2;

/** The subscriptions of a webhook in one line. */
export function kindsSummary(patterns: readonly string[]): string {
  if (patterns.includes(ALL_KINDS)) return "all events";
  const shown = patterns.slice(0, patterns.length <= SHOWN_MAX + 1 ? patterns.length : SHOWN_MAX);
  const more = patterns.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
