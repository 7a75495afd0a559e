export type FailureKind = "locked" | "port_taken" | "disk_full" | "unreadable" | "unsupported" | "other";

/** Why the engine did not start, as one sentence that says what to do. */
export class SidecarFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, sentence: string) {
    super(sentence);
    this.name = "SidecarFailure";
    this.kind = kind;
  }
}

const UNSUPPORTED_EXIT = 65;

/** Derives the reason from the end of the engine's output (ClickHouse error codes 76, 210 and 243, or errno names). */
export function failureOf(words: string, { dir, port, code }: { dir: string; port: number; code: number | null }) {
  const text = words.trim();
  if (code === UNSUPPORTED_EXIT) return new SidecarFailure("unsupported", text);
  if (/Cannot lock file|Code: 76\b/.test(text)) {
    return new SidecarFailure(
      "locked",
      `Another process uses the ClickHouse directory ${dir}; stop it, or set SVC_DATA_DIR to another directory.`,
    );
  }
  if (/Address already in use|Code: 210\b/.test(text)) return portTaken(port);
  if (/ENOSPC|No space left|Code: 243\b/.test(text)) {
    return new SidecarFailure("disk_full", `The disk of ${dir} is full; free some space and start again.`);
  }
  if (/EACCES|EPERM|EROFS|ENOTDIR|EEXIST|Permission denied/.test(text)) {
    return new SidecarFailure(
      "unreadable",
      `${dir} is not a directory that svc may read and write; change its owner, or set SVC_DATA_DIR to another one.`,
    );
  }
  const why = text.split("\n").findLast((line) => line.includes("Exception")) ?? text.slice(-300);
  return new SidecarFailure("other", `The embedded ClickHouse did not start: ${why || `it ended with ${code}`}.`);
}

export const portTaken = (port: number): SidecarFailure =>
  new SidecarFailure(
    "port_taken",
    `Port ${port}, which the embedded ClickHouse is configured to use, is in use by another server.`,
  );
