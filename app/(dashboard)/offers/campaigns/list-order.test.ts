import { expect, it } from "vitest";
import { nextOrder, readOrder } from "./list-order";

const orderIn = (address: string) => readOrder(new URLSearchParams(address));

it("the order of the list comes from the address, newest first by default", () => {
  expect(orderIn("")).toEqual({ sort: "created", order: "desc" });
  expect(orderIn("sort=colour&order=asc")).toEqual({ sort: "created", order: "desc" });
  expect(orderIn("sort=spend")).toEqual({ sort: "spend", order: "desc" });
  expect(orderIn("sort=name&order=asc")).toEqual({ sort: "name", order: "asc" });
});

it("a heading sorts one way, then the other, then not", () => {
  expect(nextOrder(orderIn(""), "clicks")).toEqual({ sort: "clicks", order: "desc" });
  expect(nextOrder(orderIn("sort=clicks"), "clicks")).toEqual({ sort: "clicks", order: "asc" });
  expect(nextOrder(orderIn("sort=clicks&order=asc"), "clicks")).toEqual({ sort: "", order: "" });
  expect(nextOrder(orderIn("sort=clicks"), "name")).toEqual({ sort: "name", order: "asc" });
});
