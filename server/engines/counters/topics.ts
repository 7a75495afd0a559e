/** Who listens to what inside this process; both engines deliver through it. */
export class Topics {
  readonly #listeners = new Map<string, Set<(message: string) => void>>();
  readonly #onError: (cause: unknown) => void;

  constructor(onError: (cause: unknown) => void) {
    this.#onError = onError;
  }

  /** Answers how to stop listening. */
  add(topic: string, onMessage: (message: string) => void): () => void {
    // A wrapper of its own, so that the same function may listen twice and stop once.
    const listener = (message: string) => onMessage(message);
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  has(topic: string): boolean {
    return this.#listeners.has(topic);
  }

  /** One listener that throws must not keep the message from the others. */
  deliver(topic: string, message: string): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) {
      try {
        listener(message);
      } catch (cause) {
        this.#onError(cause);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
