import { expect, it } from "vitest";
import { adsRows as adsManagementRows } from "../../../test/factories/rows";

const rows = adsManagementRows.map((row) => [row.id, row] as const);

it("names every operation and every method and path once", () => {
  expect(new Set(adsManagementRows.map(({ id }) => id)).size).toBe(adsManagementRows.length);
  expect(new Set(adsManagementRows.map(({ method, path }) => `${method} ${path}`)).size).toBe(adsManagementRows.length);
});

it.each(rows)("%s has every path parameter as a field of its input", (_, row) => {
  for (const [, parameter = ""] of row.path.matchAll(/\{(\w+)\}/g)) expect(row.input.shape).toHaveProperty(parameter);
});

it.each(rows)("%s requires a scope that fits its method", (_, row) => {
  const reads = row.method === "GET" || row.id === "explainOffers";
  expect(row.access).toBe(reads ? "ads:read" : "ads:write");
});

it.each(rows)("%s rejects an unknown field", (_, row) => {
  const issues = row.input.safeParse({ no_such_field: 1 }).error?.issues ?? [];
  expect(issues).toContainEqual(expect.objectContaining({ code: "unrecognized_keys", keys: ["no_such_field"] }));
});

it("has every operation on every resource", () => {
  expect(adsManagementRows.map(({ method, path }) => `${method} ${path}`).sort()).toMatchInlineSnapshot(`
    [
      "DELETE /v1/ads/advertisers/{id}",
      "DELETE /v1/ads/campaigns/{id}",
      "DELETE /v1/ads/campaigns/{id}/creatives/{creative_id}",
      "DELETE /v1/ads/campaigns/{id}/feed-schedule",
      "DELETE /v1/ads/campaigns/{id}/products/{product_id}",
      "DELETE /v1/ads/channels/{id}",
      "DELETE /v1/ads/users/{user_id}",
      "GET /v1/ads/advertisers",
      "GET /v1/ads/advertisers/{id}",
      "GET /v1/ads/advertisers/{id}/pixel",
      "GET /v1/ads/balance",
      "GET /v1/ads/campaigns",
      "GET /v1/ads/campaigns/{id}",
      "GET /v1/ads/campaigns/{id}/creatives",
      "GET /v1/ads/campaigns/{id}/creatives/{creative_id}",
      "GET /v1/ads/campaigns/{id}/feed-schedule",
      "GET /v1/ads/campaigns/{id}/products",
      "GET /v1/ads/campaigns/{id}/products/{product_id}",
      "GET /v1/ads/channels",
      "GET /v1/ads/channels/{id}",
      "GET /v1/ads/channels/{id}/keys",
      "GET /v1/ads/conversions",
      "GET /v1/ads/earnings",
      "GET /v1/ads/network-channels",
      "GET /v1/ads/reports",
      "GET /v1/ads/statements",
      "GET /v1/ads/statements/{month}/earnings",
      "GET /v1/ads/statements/{month}/spend",
      "PATCH /v1/ads/advertisers/{id}",
      "PATCH /v1/ads/campaigns/{id}",
      "PATCH /v1/ads/campaigns/{id}/creatives/{creative_id}",
      "PATCH /v1/ads/channels/{id}",
      "POST /v1/ads/advertisers",
      "POST /v1/ads/advertisers/{id}/request-review",
      "POST /v1/ads/advertisers/{id}/restore",
      "POST /v1/ads/advertisers/{id}/verify-domain",
      "POST /v1/ads/campaigns",
      "POST /v1/ads/campaigns/{id}/creatives",
      "POST /v1/ads/campaigns/{id}/creatives/{creative_id}/restore",
      "POST /v1/ads/campaigns/{id}/feed-schedule/fetch",
      "POST /v1/ads/campaigns/{id}/products",
      "POST /v1/ads/campaigns/{id}/products/{product_id}/restore",
      "POST /v1/ads/campaigns/{id}/restore",
      "POST /v1/ads/channels",
      "POST /v1/ads/channels/{id}/keys",
      "POST /v1/ads/channels/{id}/keys/{key_id}/revoke",
      "POST /v1/ads/channels/{id}/restore",
      "POST /v1/ads/explain",
      "PUT /v1/ads/campaigns/{id}/feed-schedule",
    ]
  `);
});
