export const CATEGORIES = ["secret", "personal_data", "malware", "exposure", "configuration"] as const;
export type Category = (typeof CATEGORIES)[number];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How certain it is that a match is what the rule is called; a matching checksum makes it high. */
export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** What a rule is for, as lists and the documentation show it. */
export interface RuleText {
  /** Such as `github_token`. */
  id: string;
  category: Category;
  severity: Severity;
  title: string;
  /** What to do about a finding, as one sentence. */
  remedy: string;
}

/** A value that a rule matched. Positions are bytes of the scanned window. */
export interface Match {
  rule: string;
  start: number;
  /** After the last byte. */
  end: number;
  confidence: Confidence;
}

/** A part of an object in memory. */
export interface Window {
  bytes: Buffer;
  firstLine: FirstLine;
}

/** The first line of an object, which has the names of the columns of a table. */
export interface FirstLine {
  /** In lower case as Latin-1, at most 1 KiB. */
  text: string;
  /** Whether it has one of the words of a list; remembered, since every number asks. */
  has: Map<readonly string[], boolean>;
}
