import { z } from "zod";
import type { TokenPrice } from "../ledger/chat-ledger";

/** Prices have up to 6 decimal places, so that a token costs a whole number of nanos divided by 1000. */
const PRICE = /^\d{1,7}(?:\.\d{1,6})?$/;
const TOKENS_PER_PRICE = 1_000_000;
const NANOS = 1_000_000_000;

export const PriceText = z
  .string()
  .regex(PRICE, 'expected a decimal number as text, such as "2.50", with at most 6 decimal places');

/** Nanos per token of prices per million tokens. */
export const tokenPrice = (input: string, output: string): TokenPrice => ({
  inputNanos: (Number(input) * NANOS) / TOKENS_PER_PRICE,
  outputNanos: (Number(output) * NANOS) / TOKENS_PER_PRICE,
});

export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/[?#\s]/.test(text);
}
