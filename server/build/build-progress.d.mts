export interface BuildTimer {
  now(): number;
  every(ms: number, run: () => void): () => void;
}

export function buildProgress(options: {
  part: string;
  print: (line: string) => void;
  terminal?: { write(text: string): unknown; columns?: number } | undefined;
  timer?: BuildTimer;
}): { enter(phase: string): void; end(): number };
