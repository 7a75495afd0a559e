import { expect } from "vitest";
import type { Event } from "../../server/engines/postgres/generated/client";
import { ALL_EVENT_KINDS } from "../../server/event-kinds";
import type { Marks } from "./changes/change";

/** The declaration of a type of events. Throws if there is none. */
export function kindOf(type: string) {
  const kind = ALL_EVENT_KINDS.find((one) => one.type === type);
  if (!kind) throw new Error(`no kind is called ${type}`);
  return kind;
}

/** Fails unless an event has the data that its kind declares, and no other, and is marked so. */
export function expectEvent({ type, data, ...event }: Event, marks: Marks & { tenantId: string }): void {
  expect(kindOf(type).data.strict().safeParse(data).error).toBeUndefined();
  expect(event).toMatchObject(marks);
}
