/** The listeners of each topic in this process; both engines deliver through it. */
export class Topics {
  readonly #listeners = new Map<string, Set<(message: string) => void>>();
  readonly #onError: (cause: unknown) => void;

  constructor(onError: (cause: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns a function that unsubscribes. */
  add(topic: string, onMessage: (message: string) => void): () => void {
    // Wrapped, so that the same function may subscribe twice and unsubscribe once.
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

  /** A listener that throws must not keep the message from the others. */
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
