import { ServiceError } from "../../../kernel/errors";
import type { Blocked } from "../placement/choose-node";

/** Why a pod cannot be created now. */
export interface Refusal {
  code: string;
  message: string;
  /** No other shape of it can be created either. */
  isFinal: boolean;
}

/**
 * What a check refuses for want of room: a quota, a conflict, or capacity that this installation does not have. Throws
 * everything else that it throws, such as wrong input.
 */
export async function refusalOf(check: () => Promise<void>): Promise<Refusal | undefined> {
  try {
    await check();
    return undefined;
  } catch (thrown) {
    const code = thrown instanceof ServiceError ? codeOf(thrown) : undefined;
    if (!(thrown instanceof ServiceError) || code === undefined) throw thrown;
    return { code, message: thrown.message, isFinal: thrown.code === "unavailable" };
  }
}

function codeOf({ code, details }: ServiceError): string | undefined {
  if (code === "quota_exceeded") return code;
  if (code !== "conflict" && code !== "unavailable") return undefined;
  return typeof details?.reason === "string" ? details.reason : undefined;
}

/** What was decided about a pod that does not exist: it fits if it is neither refused nor blocked. */
export interface WantedDecision {
  refused?: Refusal | undefined;
  blocked?: Blocked | undefined;
  /** Spot pods would be given notice for it. */
  makesRoom?: boolean;
}
