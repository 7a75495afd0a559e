import { expect, it } from "vitest";
import { isFiltered, parseFilter, toListInput } from "./audit-filter";

const chosen = (query: string) => parseFilter(new URLSearchParams(query));

it("asks for everything where the address chooses nothing", () => {
  expect(toListInput(chosen(""))).toEqual({});
  expect(isFiltered(chosen(""))).toBe(false);
});

it("asks for what the address chooses, the last day included", () => {
  const choice = chosen("action=campaign.*&actor=usr_1&target=cmp_1&from=2026-11-19&to=2026-11-20");
  expect(isFiltered(choice)).toBe(true);
  expect(toListInput(choice)).toEqual({
    action: "campaign.*",
    actor_id: "usr_1",
    target_id: "cmp_1",
    from: new Date("2026-11-19T00:00:00").toISOString(),
    to: new Date("2026-11-21T00:00:00").toISOString(),
  });
});

it("leaves out what is no action and no day", () => {
  expect(toListInput(chosen("action=DROP+TABLE&from=yesterday&to=2026-11-20T00%3A00&target=+"))).toEqual({});
});
