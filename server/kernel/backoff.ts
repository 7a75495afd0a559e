/** Milliseconds before retry number `attempt` (0 first): exponential with full jitter, at most `maxMs`. */
export function backoffMs(attempt: number, { baseMs = 50, maxMs = 5000, random = Math.random } = {}): number {
  return Math.ceil(random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30)));
}
