import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import type { ReceiptOutcome } from "../queue-log/queue-engine";
import { MESSAGES_MAX } from "./message";
import { EXAMPLE_RECEIPT, queueExample } from "./queue.example";

const Receipt = z.string().min(1).max(500);

/** The receipts of a request: one, whose failure is an error, or a batch with an outcome for each. */
export const receiptFields = {
  receipt: Receipt.optional().describe("The receipt of one message; an error says if its lease has ended"),
  receipts: z
    .array(Receipt)
    .min(1)
    .max(MESSAGES_MAX)
    .optional()
    .describe(
      "1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request",
    ),
};

export const ReceiptOutcomes = z.object({
  data: z
    .array(
      z.object({
        receipt: z.string(),
        outcome: z
          .enum(["ok", "lease_expired", "unknown"])
          .describe(
            "`lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue",
          ),
      }),
    )
    .describe("In the order of the request"),
});
export type ReceiptOutcomes = z.output<typeof ReceiptOutcomes>;

/** How many elements the batch of a request has. */
export const receiptCount = ({ receipts }: AskedReceipts): number => receipts?.length ?? 1;

export const receiptExample = {
  input: { q: queueExample.name, receipt: EXAMPLE_RECEIPT },
  output: { data: [{ receipt: EXAMPLE_RECEIPT, outcome: "ok" as const }] },
};

interface AskedReceipts {
  receipt?: string | undefined;
  receipts?: string[] | undefined;
}

/** The receipts of a request. Throws `invalid_request` unless it has exactly one of both fields. */
export function receiptsOf({ receipt, receipts }: AskedReceipts): string[] {
  if (receipt === undefined) {
    if (receipts !== undefined) return receipts;
    throw invalid("receipt", "missing, expected the receipt of a message (or receipts, a batch).");
  }
  if (receipts === undefined) return [receipt];
  throw invalid("receipts", "the request has receipt too; send one of the two.");
}

/**
 * The response to a batch, or to a single receipt that is valid. Throws for a single one `conflict` (reason
 * `lease_expired`) or `invalid_request` (reason `unknown_receipt`).
 */
export function outcomesOf(asked: AskedReceipts, outcomes: readonly ReceiptOutcome[]): ReceiptOutcomes {
  if (asked.receipt !== undefined) refuseFailure(outcomes[0]);
  return {
    data: receiptsOf(asked).map((receipt, i) => ({ receipt, outcome: OUTCOMES[outcomes[i] ?? "unknown"] })),
  };
}

const OUTCOMES = { ok: "ok", expired: "lease_expired", unknown: "unknown" } as const;

function refuseFailure(outcome: ReceiptOutcome | undefined): void {
  if (outcome === "expired") {
    throw new ServiceError(
      "conflict",
      "The lease of this message has ended: it became visible again, or was acknowledged or returned before. Receive it again.",
      { param: "receipt", details: { reason: "lease_expired" } },
    );
  }
  if (outcome !== "ok") throw invalid("receipt", "not a receipt of this queue.", "unknown_receipt");
}

const invalid = (param: string, message: string, reason?: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${message}`, { param, ...(reason && { details: { reason } }) });
