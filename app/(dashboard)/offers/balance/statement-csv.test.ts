import { expect, it } from "vitest";
import type { EarningsStatement, SpendStatement } from "./statement";
import { earningsCsv, spendCsv } from "./statement-csv";

const head = { month: "2026-11", mode: "live", simulated: false, state: "open", currency: "USD" } as const;

it("has a row per channel and a total, with exact amounts", () => {
  const line = { earned: "9007199254740993.000000001", clawed_back: "0.25", pending: "-0.25", available: "0.00" };
  const statement: EarningsStatement = {
    ...head,
    days: [],
    totals: line,
    lines: [
      { ...line, channel_id: "chn_1", channel_name: '=SUM(A1), "x"' },
      { ...line, channel_id: null, channel_name: null },
    ],
  };
  const amounts = "9007199254740993.000000001,0.25,-0.25,0.00";
  expect(earningsCsv(statement).split("\r\n")).toEqual([
    "Month (UTC),Channel,Channel ID,Earned,Clawed back,Pending,Available,Currency",
    `2026-11,"'=SUM(A1), ""x""",chn_1,${amounts},USD`,
    `2026-11,Other channels,,${amounts},USD`,
    `2026-11,Total,,${amounts},USD`,
    "",
  ]);
});

it("has a row per campaign and a total", () => {
  const line = { charged: "1.50", reversed: "0.50", spent: "1.00", own_channels: "0.25" };
  const balance = { opening_balance: "0.00", credited: "5.00", closing_balance: "4.00" };
  const statement: SpendStatement = {
    ...head,
    ...balance,
    days: [],
    totals: line,
    lines: [{ ...line, campaign_id: "cmp_1", campaign_name: "Boots" }],
  };
  expect(spendCsv(statement).split("\r\n")).toEqual([
    "Month (UTC),Campaign,Campaign ID,Charged,Reversed,Spent,Own channels (not paid),Currency",
    "2026-11,Boots,cmp_1,1.50,0.50,1.00,0.25,USD",
    "2026-11,Total,,1.50,0.50,1.00,0.25,USD",
    "",
  ]);
});
