import { FieldError } from "../../trpc/failure";

/** An entry of a picker: what is sent, and what people read and type. */
export interface Choice {
  value: string;
  label: string;
}

/** The choice that a text names by its label or its value, in any case. */
export function findChoice(choices: readonly Choice[], text: string): Choice | undefined {
  const name = text.trim().toLowerCase();
  return choices.find(({ value, label }) => label.toLowerCase() === name || value.toLowerCase() === name);
}

/** Entries between commas or line ends, trimmed, each once. */
export const entriesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
];

/** All entries of a picker: the picked ones, and what was typed but not picked yet. */
export const pickedIn = (fields: FormData, name: string): string[] => [
  ...new Set(fields.getAll(name).flatMap((value) => (typeof value === "string" ? entriesOf(value) : []))),
];

/** The values of the picked choices. Throws a FieldError for an entry that is none of them. */
export const choicesPickedIn = (
  fields: FormData,
  name: string,
  { choices, noun }: { choices: readonly Choice[]; noun: string },
): string[] =>
  pickedIn(fields, name).map((entry) => {
    const choice = findChoice(choices, entry);
    if (!choice) throw new FieldError(name, `No ${noun} is called “${entry}”. Choose one from the list.`);
    return choice.value;
  });
