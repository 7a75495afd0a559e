import { formatDateTime } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";

export type Webhook = Outputs["listWebhooks"]["data"][number];

/** A webhook with its secret, which is shown once. */
export type WebhookSecret = Outputs["createWebhook"];

export interface StatusText {
  tone: "good" | "warn" | "bad" | "neutral";
  label: string;
  /** What happened, and what to do about it; undefined while everything is fine. */
  explanation: string | undefined;
}

type State = Pick<Webhook, "status" | "disabled_reason" | "disabled_at" | "failing_since">;

/** The state of a webhook in words. */
export function statusText({ status, disabled_reason, disabled_at, failing_since }: State): StatusText {
  if (status === "disabled") {
    const at = disabled_at === null ? "" : ` on ${formatDateTime(disabled_at)}`;
    return { ...DISABLED[disabled_reason ?? "by_request"], explanation: explanationOf(disabled_reason, at) };
  }
  if (failing_since === null) return { tone: "good", label: "enabled", explanation: undefined };
  return {
    tone: "warn",
    label: `failing since ${formatDateTime(failing_since)}`,
    explanation: `Every attempt has failed since then. After 5 days of failures svc disables the webhook and emails the owners.`,
  };
}

const DISABLED = {
  by_request: { tone: "neutral", label: "disabled" },
  gone: { tone: "bad", label: "disabled: gone" },
  failing: { tone: "bad", label: "disabled: failing" },
} as const;

function explanationOf(reason: Webhook["disabled_reason"], at: string): string {
  if (reason === "gone") return `svc disabled the webhook${at}, because its endpoint responded 410 (Gone).`;
  if (reason === "failing") return `svc disabled the webhook${at}, because every attempt failed for 5 days.`;
  return `Disabled${at}. Events of this time are not delivered.`;
}

/** A URL in two parts, so that the host can be emphasized: the scheme and host, and the rest. */
export function urlParts(url: string): { scheme: string; host: string; rest: string } {
  const { protocol, host, pathname, search } = new URL(url);
  const rest = `${pathname === "/" ? "" : pathname}${search}`;
  return { scheme: `${protocol}//`, host, rest };
}
