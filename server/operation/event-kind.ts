import type { z } from "zod";

/**
 * A kind of event that webhooks can subscribe to. The noun that causes it declares it as data, in `<noun>.events.ts`;
 * `data` is the JSON object that the event contains, and must not have a secret.
 */
export interface EventKind<D extends z.ZodObject = z.ZodObject> {
  /** `<noun>.<past participle>`, such as `campaign.created`. */
  type: string;
  /** When it happens, as one sentence. */
  description: string;
  data: D;
  example: z.input<D>;
}

/** Declares a kind of event. */
export const eventKind = <D extends z.ZodObject>(kind: EventKind<D>): EventKind<D> => kind;

/** Declares kinds of events with the same data. A kind without an example of its own has `example`. */
export const eventsOf =
  <D extends z.ZodObject>(data: D, example: z.input<D>) =>
  (type: string, description: string, own: z.input<D> = example): EventKind<D> => ({
    type,
    description,
    data,
    example: own,
  });

/** Joins the kinds of all nouns. Throws for two kinds of one type. */
export function eventKindList(...lists: readonly (readonly EventKind[])[]): readonly EventKind[] {
  const kinds = lists.flat().sort((a, b) => (a.type < b.type ? -1 : 1));
  for (const [i, { type }] of kinds.entries()) {
    if (kinds[i + 1]?.type === type) throw new Error(`Two kinds of events are called ${type}.`);
  }
  return kinds;
}
