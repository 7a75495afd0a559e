import { expect, it } from "vitest";
import { BOTH_TYPES, withAcceptedTypes } from "./accepted-types";

const acceptOf = (accept: string | undefined): string | null => {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  return withAcceptedTypes(new Request("http://svc.test/v1/mcp", { method: "POST", headers })).headers.get("accept");
};

it.each([
  undefined,
  "*/*",
  "application/*, text/*;q=0.5",
  "Text/Event-Stream, Application/JSON; charset=utf-8",
  "text/event-stream, application/json",
  "application/json, text/event-stream",
])("an Accept of %j is one of both types", (accept) => {
  expect(acceptOf(accept)).toBe(BOTH_TYPES);
});

it.each(["application/json", "text/event-stream", "text/html", "*/*, text/event-stream;q=0"])(
  "an Accept of %j stays as it is",
  (accept) => {
    expect(acceptOf(accept)).toBe(accept);
  },
);
