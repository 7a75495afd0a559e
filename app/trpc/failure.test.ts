import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { FieldError, failureOf } from "./failure";

const sent = (failure: object) =>
  new TRPCClientError("refused", {
    result: { error: { code: -32_600, message: "refused", data: { code: "BAD_REQUEST", httpStatus: 400, failure } } },
  } as never);

describe("failureOf", () => {
  it("puts each refused field beside its own field, without naming it twice", () => {
    const failure = failureOf(
      sent({
        code: "invalid_request",
        message: "name: expected at least one character.",
        request_id: "req_1",
        fields: [
          { param: "name", message: "expected at least one character." },
          { param: "origins[1]", message: "origins[1]: expected an origin." },
        ],
      }),
    );
    expect(failure.fields).toEqual([
      { param: "name", message: "Fill in this field." },
      { param: "origins[1]", message: "Expected an origin." },
    ]);
    expect(failure.requestId).toBe("req_1");
  });

  it("takes the one param of a verb's own refusal", () => {
    const failure = failureOf(
      sent({ code: "conflict", message: "The address is taken.", param: "email", request_id: "req_1" }),
    );
    expect(failure).toMatchObject({ code: "conflict", fields: [{ param: "email", message: "The address is taken." }] });
  });

  it("speaks of money and times as the form does", () => {
    const message = "daily_budget_micros must be at least bid_micros; otherwise it cannot pay for a single event.";
    const failure = failureOf(
      sent({ code: "invalid_request", message, param: "daily_budget_micros", request_id: "r" }),
    );
    expect(failure.fields[0]?.message).toBe(
      "Daily budget must be at least bid; otherwise it cannot pay for a single event.",
    );
    expect(failure.message).toBe(message);
  });

  it.each([
    ["caps[0].count", "expected a number of at least 1.", "Enter 1 or more."],
    ["attribution.click_days", "expected a number of at most 90.", "Enter 90 or less."],
    ["caps[0].count", "expected a whole number.", "Enter a whole number."],
    ["bid_micros", "expected a number of at least 1.", "Enter an amount above 0."],
    ["bid_micros", "expected a number of at most 1000000000000.", "Enter a smaller amount."],
  ])("says in words that %s is out of its range: %s", (param, message, sentence) => {
    const failure = failureOf(
      sent({ code: "invalid_request", message, fields: [{ param, message }], request_id: "r" }),
    );
    expect(failure.fields).toEqual([{ param, message: sentence }]);
  });

  it("calls everything without an answer offline", () => {
    expect(failureOf(new TypeError("fetch failed"))).toMatchObject({ code: "offline", fields: [] });
  });

  it("knows what the page itself refused", () => {
    expect(failureOf(new FieldError("bid_micros", "Enter an amount."))).toMatchObject({
      fields: [{ param: "bid_micros", message: "Enter an amount." }],
    });
  });
});
