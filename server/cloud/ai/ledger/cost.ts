import type { ChatStart, ChatUsage, TokenPrice } from "./chat-ledger";

/** What an answer is expected to have at most if the request does not limit it. */
export const COMPLETION_TOKENS_DEFAULT = 1024;
/** Counts that an upstream reports are not trusted beyond this. */
const TOKENS_MAX = 1_000_000_000;
const PICOS_PER_NANO = 1000n;
const NANOS_MAX = 1_000_000_000_000_000_000n;

/** A price in picos (10⁻¹²) of the currency per token, so that 0.0375 per million tokens is exact. */
export interface TokenPicos {
  inputPicos: bigint;
  outputPicos: bigint;
}

export const picosOf = ({ inputNanos, outputNanos }: TokenPrice): TokenPicos => ({
  inputPicos: BigInt(Math.max(0, Math.round(inputNanos * Number(PICOS_PER_NANO)))),
  outputPicos: BigInt(Math.max(0, Math.round(outputNanos * Number(PICOS_PER_NANO)))),
});

type Tokens = Pick<ChatUsage, "promptTokens" | "completionTokens">;

/** Whole numbers from 0 to a billion. */
export const saneTokens = ({ promptTokens, completionTokens }: Tokens): Tokens => ({
  promptTokens: saneCount(promptTokens),
  completionTokens: saneCount(completionTokens),
});

const saneCount = (count: number): number =>
  Number.isFinite(count) ? Math.min(TOKENS_MAX, Math.max(0, Math.trunc(count))) : 0;

/** The cost of tokens in nanos, rounded half up once. */
export function costNanosOf(
  { promptTokens, completionTokens }: Tokens,
  { inputPicos, outputPicos }: TokenPicos,
): bigint {
  const picos = BigInt(promptTokens) * inputPicos + BigInt(completionTokens) * outputPicos;
  const nanos = (picos + PICOS_PER_NANO / 2n) / PICOS_PER_NANO;
  return nanos < NANOS_MAX ? nanos : NANOS_MAX;
}

/** What a request can cost at most, as far as that is known before it runs. */
export function reservationOf(start: ChatStart, price: TokenPicos): { nanos: bigint; tokens: number } {
  const { promptTokens, completionTokensMax = COMPLETION_TOKENS_DEFAULT } = start;
  const tokens = saneTokens({ promptTokens, completionTokens: completionTokensMax });
  return { nanos: costNanosOf(tokens, price), tokens: tokens.promptTokens + tokens.completionTokens };
}
