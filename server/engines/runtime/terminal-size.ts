import type { TerminalSize } from "./execution";

/** The nearest size that the kernel can store: whole numbers of 16 bits, at least 1. */
export const boundedSize = ({ columns, rows }: TerminalSize): TerminalSize => ({
  columns: bounded(columns),
  rows: bounded(rows),
});

const bounded = (count: number): number => Math.min(65_535, Math.max(1, Math.floor(count)));
