export const DEVICES = ["desktop", "mobile", "tablet"] as const;
