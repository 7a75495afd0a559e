import { expect, it } from "vitest";
import type { AdmittedCall, FinalResponse } from "../gateway/chat-stages";
import { createOfferStages } from "./create-offer-stages";

const BOOTS = { id: "offer-1", clickUrl: "https://svc.example/api/v1/clicks/offer-1", title: "Warm boots" };

it.each([
  { what: "the client has received", isDelivered: true, reported: [["offer-1"]] },
  { what: "the client had left", isDelivered: false, reported: [] },
])("an offer in an answer that $what is reported as seen: $reported", async ({ isDelivered, reported }) => {
  const found: (readonly string[])[] = [];
  const { prompt, answer } = createOfferStages({
    promptOffers: {
      hasChannel: () => true,
      serve: async () => ({ offers: [BOOTS], block: "offers" }),
      reportImpressions: async (_, ids) => void found.push(ids),
    },
    log: { warn: () => undefined },
  });
  const body = { model: "m", messages: [{ role: "user", content: "boots" }], svc_offers: { channel_id: "chn_1" } };
  const call = { body, payer: { tenantId: "ten_1", mode: "live" }, entry: { settings: {} } } as unknown as AdmittedCall;
  await prompt.prepare(call);
  const choice = { index: 0, message: { role: "assistant", content: `See ${BOOTS.clickUrl}` } };
  await answer.see(call, { completion: { choices: [choice] }, isDelivered } as unknown as FinalResponse);
  expect(found).toEqual(reported);
});
