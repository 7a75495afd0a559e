import type { Outputs } from "../../../trpc/client";

export type Event = Outputs["listEvents"]["data"][number];

/** A kind or a prefix of kinds, such as `campaign.*`. */
export const KIND = /^[a-z_]+(\.[a-z_]+)*\.([a-z_]+|\*)$/;

const NAMES = ["name", "email", "id"];

/** What an event concerns, in a few words: a name in its data, or an id. */
export function subjectText({ data }: Pick<Event, "data">): string {
  for (const field of NAMES) {
    const value = data[field];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}
