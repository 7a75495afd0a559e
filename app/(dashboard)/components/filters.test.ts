import { expect, it } from "vitest";
import { ANY, choicesOf, chosenIn, type Filter, filterValue } from "./filters";
import { rangeFilter, startOfRange } from "./time-range";

const NOW = new Date("2026-11-23T12:00:00Z");
const STATUS: Filter = { name: "status", label: "Status", choices: choicesOf(["in_flight", "failed"]) };
const inAddress = (filter: Filter, search: string) => filterValue(filter, new URLSearchParams(search));

it("names the values of the API in words", () => {
  expect(STATUS.choices).toEqual([
    { value: "in_flight", label: "In flight" },
    { value: "failed", label: "Failed" },
  ]);
});

it("reads a filter from the address, and ignores a value that it does not have", () => {
  expect(["status=failed", "status=lost", "status=", ""].map((search) => inAddress(STATUS, search))).toEqual([
    "failed",
    undefined,
    undefined,
    undefined,
  ]);
  expect(chosenIn(new URLSearchParams("status=failed"), "status", ["failed"])).toBe("failed");
  expect(chosenIn(new URLSearchParams("status=lost"), "status", ["failed"])).toBeUndefined();
});

it("takes other values of their form: IDs of what was archived, and any text that is searched for", () => {
  const project: Filter = { name: "project", label: "Project", choices: [], others: ANY };
  const kind: Filter = { name: "kind", label: "Kind", choices: [], others: /^[a-z.]+$/ };
  expect(inAddress(project, "project=prj_1")).toBe("prj_1");
  expect([inAddress(kind, "kind=queue.created"), inAddress(kind, "kind=<script>")]).toEqual([
    "queue.created",
    undefined,
  ]);
  expect(inAddress({ name: "q", label: "Name" }, "q=spring")).toBe("spring");
});

it("knows when a range of time began", () => {
  const startOf = (search: string) => startOfRange(new URLSearchParams(search), NOW);
  expect([startOf("range=1h"), startOf("range=7d"), startOf("range=9y"), startOf("")]).toEqual([
    "2026-11-23T11:00:00.000Z",
    "2026-11-16T12:00:00.000Z",
    undefined,
    undefined,
  ]);
  expect(inAddress(rangeFilter("In the last"), "range=9y")).toBeUndefined();
});
