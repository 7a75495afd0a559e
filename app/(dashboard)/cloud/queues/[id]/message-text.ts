import type { Outputs } from "../../../../trpc/client";

export type PeekedMessage = Outputs["peekMessages"]["data"][number];

export const STATES: Record<PeekedMessage["state"], { label: string; tone: "accent" | "neutral" | "warn" }> = {
  waiting: { label: "waiting", tone: "accent" },
  delayed: { label: "delayed", tone: "neutral" },
  in_flight: { label: "in flight", tone: "warn" },
};

const PREVIEW_MAX = 200;

/** A body in one line, cut after 200 characters. */
export function previewOf(body: PeekedMessage["body"]): string {
  const text = (typeof body === "string" ? body : JSON.stringify(body)).replaceAll(/\s+/g, " ").trim();
  if (text === "") return "(empty)";
  return text.length > PREVIEW_MAX ? `${text.slice(0, PREVIEW_MAX)}…` : text;
}

/** The whole body: text as it was sent, JSON with indentation. */
export const bodyText = (body: PeekedMessage["body"]): string =>
  typeof body === "string" ? body : JSON.stringify(body, null, 2);
