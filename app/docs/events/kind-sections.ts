import type { Surfaces } from "../../../server/surfaces";

export type ListedKind = Surfaces["eventKinds"][number];

/** `campaign` of `campaign.created`. */
const nounOf = (type: string): string => type.slice(0, type.lastIndexOf("."));

/** The kinds by noun, in the order of the list. */
export function groupsOf(kinds: readonly ListedKind[]): { noun: string; kinds: ListedKind[] }[] {
  const nouns = [...new Set(kinds.map(({ type }) => nounOf(type)))];
  return nouns.map((noun) => ({ noun, kinds: kinds.filter(({ type }) => nounOf(type) === noun) }));
}

/** The anchor of a noun's section. */
export const sectionId = (noun: string): string => noun.replaceAll(/[._]/g, "-");
