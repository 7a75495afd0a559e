import { expect, it } from "vitest";
import { ALL_EVENT_KINDS } from "./event-kinds";

it.each(ALL_EVENT_KINDS.map((kind) => [kind.type, kind] as const))("%s has an example of its schema", (_, kind) => {
  expect(kind.data.strict().safeParse(kind.example).error).toBeUndefined();
});
