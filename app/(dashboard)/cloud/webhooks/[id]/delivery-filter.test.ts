import { expect, it } from "vitest";
import { isFiltered, parseDeliveryFilter, toListInput } from "./delivery-filter";

const NOW = new Date("2026-11-23T12:00:00Z");
const parsed = (search: string) => parseDeliveryFilter(new URLSearchParams(search));

it("reads the filters of a URL, and ignores what is none", () => {
  expect(parsed("status=failed&kind=campaign.created&range=24h")).toEqual({
    status: "failed",
    kind: "campaign.created",
    range: "24h",
  });
  expect(parsed("status=lost&kind=<script>&range=1y")).toEqual({ status: "", kind: "", range: "" });
});

it("asks the API only for what is chosen", () => {
  expect(toListInput(parsed(""), NOW)).toEqual({});
  expect(toListInput(parsed("status=pending&kind=webhook.updated&range=1h"), NOW)).toEqual({
    status: "pending",
    event_type: "webhook.updated",
    from: "2026-11-23T11:00:00.000Z",
  });
  expect([isFiltered(parsed("")), isFiltered(parsed("range=7d"))]).toEqual([false, true]);
});
