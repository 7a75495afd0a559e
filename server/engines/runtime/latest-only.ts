/** Runs a function for the newest value, never twice at a time: values that arrive meanwhile replace each other. */
export function latestOnly<T>(run: (value: T) => Promise<void>): (value: T) => void {
  let next: { value: T } | undefined;
  let isRunning = false;
  const runAll = async (): Promise<void> => {
    isRunning = true;
    for (let one = next; one; one = next) {
      next = undefined;
      await run(one.value);
    }
    isRunning = false;
  };
  return (value) => {
    next = { value };
    if (!isRunning) void runAll();
  };
}
