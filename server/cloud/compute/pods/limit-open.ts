import type { ServiceError } from "../../../kernel/errors";

/** Counts something that is open, by a key. Returns what closes it, which may be called again. Throws at the limit. */
export type LimitOpen = (key: string) => () => void;

export function limitOpen(max: number, refusal: () => ServiceError): LimitOpen {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    if (count >= max) throw refusal();
    counts.set(key, count + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}
