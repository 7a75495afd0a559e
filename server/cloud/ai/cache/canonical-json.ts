import { relayedText } from "../../../kernel/relayed-json";

/** JSON whose object keys are sorted, so that equal values have equal texts; numbers are as `relayedJson` read them. */
export const canonicalJson = (value: unknown): string =>
  relayedText(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
