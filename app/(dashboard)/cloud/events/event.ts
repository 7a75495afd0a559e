import type { Outputs } from "../../../trpc/client";

export type Event = Outputs["listEvents"]["data"][number];

const KIND = /^[a-z_]+(\.[a-z_]+)*\.([a-z_]+|\*)$/;

/** The kind or prefix in a URL; anything else is no filter. */
export const kindIn = (text: string | null): string => (text !== null && KIND.test(text) ? text : "");

const NAMES = ["name", "email", "id"];

/** What an event concerns, in a few words: a name in its data, or an id. */
export function subjectText({ data }: Pick<Event, "data">): string {
  for (const field of NAMES) {
    const value = data[field];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}
