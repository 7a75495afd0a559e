import { formatBytes } from "../../../format/bytes";
import { formatCount } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";

export type Scan = Outputs["getShieldScan"];
export type Finding = Outputs["listShieldFindings"]["data"][number];

type Tone = "good" | "warn" | "bad" | "neutral" | "accent";

export const STATUS_TONES: Readonly<Record<Scan["status"], Tone>> = {
  queued: "neutral",
  running: "accent",
  completed: "good",
  failed: "bad",
  canceled: "neutral",
};

export const SEVERITY_TONES: Readonly<Record<Finding["severity"], Tone>> = {
  critical: "bad",
  high: "bad",
  medium: "warn",
  low: "neutral",
};

/** From the most severe. */
export const SEVERITIES: readonly Finding["severity"][] = ["critical", "high", "medium", "low"];

export const CATEGORY_LABELS: Readonly<Record<Finding["category"], string>> = {
  secret: "Secrets",
  personal_data: "Personal data",
  malware: "Malware",
  exposure: "Exposure",
  configuration: "Configuration",
};

export const isUnderWay = ({ finished_at }: Pick<Scan, "finished_at">): boolean => finished_at === null;

/** "120 of 300 objects, 48 MB". */
export function progressText({ objects, objects_total: total, bytes }: Scan["progress"]): string {
  const counted =
    total === null || objects >= total ? formatCount(objects) : `${formatCount(objects)} of ${formatCount(total)}`;
  return `${counted} ${objects === 1 && (total ?? 1) <= 1 ? "object" : "objects"}, ${formatBytes(bytes)}`;
}

/** "1 critical, 3 low"; empty without findings. */
export const findingsText = (findings: Scan["findings"]): string =>
  SEVERITIES.flatMap((one) => (findings[one] > 0 ? [`${formatCount(findings[one])} ${one}`] : [])).join(", ");
