/** The text in place of a value that is not shown. */
export const REDACTED = "[redacted]";
