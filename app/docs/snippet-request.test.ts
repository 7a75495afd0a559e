import { expect, it } from "vitest";
import { fillPlaceholders, missingIds, type SnippetRequest, toFetchInit } from "./snippet-request";

const keys = { platform: "svc_test_x", channel: "svc_srv_x" };
const step: SnippetRequest = {
  method: "POST",
  path: "/v1/ads/channels/<channel_id>/keys",
  key: "platform",
  body: { kind: "server", note: "<nobody>" },
  idempotencyKey: "0b0f0c6e-8f0e-4a55-9d0e-3f1f7a2d9c11",
};

it("waits for the ids that an earlier answer brings, and puts them into path and body", () => {
  expect(missingIds(step, {})).toEqual(["channel_id", "nobody"]);
  const found = { channel_id: "chn_1", nobody: 'x"y' };
  expect(missingIds(step, found)).toEqual([]);
  expect(fillPlaceholders({ ...step, body: { kind: "<channel_id>" } }, found)).toMatchObject({
    path: "/v1/ads/channels/chn_1/keys",
    body: { kind: "chn_1" },
  });
});

it("sends the key that the API takes, and no cookie", () => {
  const sent = toFetchInit(step, keys);
  expect(sent).toMatchObject({ method: "POST", credentials: "omit" });
  expect(sent.headers).toMatchObject({ authorization: "Bearer svc_test_x", "content-type": "application/json" });
  expect(sent.headers).toHaveProperty("idempotency-key", step.idempotencyKey);
  const other = toFetchInit({ method: "GET", path: "/api/v1/offers", key: "channel" }, keys);
  expect(other.headers).toEqual({ "x-svc-api-key": "svc_srv_x" });
});
