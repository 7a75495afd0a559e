import { expect, it } from "vitest";
import { askedOf, filterOf } from "./request-filter";

it("asks for what the address names, and leaves out what it does not know", () => {
  const now = new Date("2026-11-23T10:00:30Z");
  const asked = (query: string) => askedOf(filterOf(new URLSearchParams(query)), now);
  expect(asked("")).toEqual({});
  expect(asked("status=failed&model=svc-echo&key=key_1&range=1h")).toEqual({
    status: "failed",
    model: "svc-echo",
    key: "key_1",
    from: "2026-11-23T09:00:00.000Z",
  });
  expect(asked("status=odd&range=9y")).toEqual({});
});
