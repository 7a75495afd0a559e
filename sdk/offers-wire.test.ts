import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { ReportedConversion as ServedConversion } from "../server/ads/conversions/conversion";
import type { ReportConversion } from "../server/ads/conversions/report-conversion";
import * as limits from "../server/ads/limits";
import type { OffersResponse as ServedResponse } from "../server/ads/offers/offer";
import type { OffersRequest as TakenRequest } from "../server/ads/offers/offers-request";
import { OFFERS_MAX as SERVED_OFFERS_MAX } from "../server/ads/serving/offer-request";
import type { ReportSignals } from "../server/ads/signals/report-signals";
import type { ErrorCode as SentCode } from "../server/kernel/errors";
import type { ErrorBody as SentError } from "../server/surfaces/http/error-response";
import { offersOpenApi } from "../server/surfaces/http/openapi";
import { offersGroups, orderGroups } from "../server/surfaces/http/routes";
import {
  type ConversionReport,
  type ErrorBody,
  type ErrorCode,
  IMPRESSION_IDS_MAX,
  OFFERS_MAX,
  type Offer,
  type OffersRequest,
  type OffersResponse,
  type ReportedConversion,
  SIGNALS_MAX,
  type SignalsReport,
} from "./offers-wire";

describe("the compiler", () => {
  it("finds every type equal to what the server takes and gives", () => {
    expectTypeOf<OffersRequest>().toEqualTypeOf<z.input<typeof TakenRequest>>();
    expectTypeOf<OffersResponse>().toEqualTypeOf<z.output<typeof ServedResponse>>();
    expectTypeOf<SignalsReport>().toEqualTypeOf<z.input<typeof ReportSignals>>();
    expectTypeOf<ConversionReport>().toEqualTypeOf<z.input<typeof ReportConversion>>();
    expectTypeOf<ReportedConversion>().toEqualTypeOf<z.output<typeof ServedConversion>>();
    expectTypeOf<ErrorCode>().toEqualTypeOf<SentCode>();
    expectTypeOf<keyof ErrorBody["error"]>().toEqualTypeOf<keyof SentError["error"]>();
    expectTypeOf<Omit<SentError["error"], "code">>().toExtend<Omit<ErrorBody["error"], "code">>();
  });
});

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}
interface Operation {
  requestBody: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

describe("the OpenAPI document", () => {
  const { paths } = offersOpenApi("https://svc.example", offersGroups, orderGroups) as {
    paths: Record<string, { post: Operation }>;
  };
  const post = (path: string): Operation => {
    const operation = paths[path]?.post;
    if (!operation) throw new Error(`the document has no POST ${path}`);
    return operation;
  };
  const bodyOf = (path: string) => post(path).requestBody.content["application/json"]?.schema;
  const answerOf = (path: string, status: number) => post(path).responses[status]?.content["application/json"]?.schema;
  const fieldsOf = (schema: Schema | undefined) => Object.keys(schema?.properties ?? {}).sort();

  it("names the same fields of a request", () => {
    const fields: Record<keyof OffersRequest, true> = {
      query: true,
      context: true,
      placement: true,
      user_id: true,
      session_id: true,
      locale: true,
      device: true,
      geo: true,
      limit: true,
      signals: true,
      consent: true,
    };
    expect(fieldsOf(bodyOf("/api/v1/offers"))).toEqual(Object.keys(fields).sort());
  });

  it("names the same fields of an offer", () => {
    const fields: Record<keyof Offer, true> = {
      id: true,
      title: true,
      content: true,
      cta: true,
      clickUrl: true,
      source: true,
      ad_type: true,
      brand: true,
      product: true,
      price: true,
      rating: true,
    };
    const answer = answerOf("/api/v1/offers", 200);
    expect(fieldsOf(answer)).toEqual(["offers", "reason"]);
    expect(fieldsOf(answer?.properties?.offers?.items)).toEqual(Object.keys(fields).sort());
  });

  it("names the same fields of signals and orders", () => {
    const signals: Record<keyof SignalsReport, true> = {
      user_id: true,
      session_id: true,
      signals: true,
      consent: true,
    };
    expect(fieldsOf(bodyOf("/api/v1/signals"))).toEqual(Object.keys(signals).sort());
    const order: Record<keyof ConversionReport, true> = {
      order_id: true,
      click_id: true,
      advertiser_id: true,
      user_id: true,
      value_micros: true,
      currency: true,
      occurred_at: true,
      mode: true,
    };
    expect(fieldsOf(bodyOf("/api/v1/conversions"))).toEqual(Object.keys(order).sort());
    const reported: Record<keyof ReportedConversion, true> = {
      id: true,
      mode: true,
      order_id: true,
      attribution: true,
      reason: true,
      campaign_id: true,
      channel_id: true,
      touched_at: true,
      value_micros: true,
      currency: true,
      occurred_at: true,
      created_at: true,
      duplicate: true,
      source: true,
      over_limit: true,
    };
    expect(fieldsOf(answerOf("/api/v1/conversions", 201))).toEqual(Object.keys(reported).sort());
  });

  it("knows the paths that the clients call", () => {
    for (const path of ["/api/v1/offers", "/api/v1/signals", "/api/v1/impressions/batch", "/api/v1/conversions"])
      expect(post(path)).toBeDefined();
  });
});

it("counts as far as the server does", () => {
  expect([OFFERS_MAX, SIGNALS_MAX, IMPRESSION_IDS_MAX]).toEqual([
    SERVED_OFFERS_MAX,
    limits.SIGNALS_MAX,
    limits.IMPRESSION_IDS_MAX,
  ]);
});
