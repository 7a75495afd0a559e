const TERMINAL_EVERY_MS = 1_000;
const LINES_EVERY_MS = 10_000;
const CLEAR_LINE = "\r\u001b[K";

const systemTimer = {
  now: () => performance.now(),
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Shows which part is being built, in which phase, and for how many seconds: in a terminal as one line that is rewritten
 * every second, elsewhere as a plain line per phase and one more every 10 s.
 *
 * @param {object} options
 * @param {string} options.part the name of the part, such as "pages"
 * @param {(line: string) => void} options.print receives plain lines
 * @param {{ write(text: string): unknown, columns?: number } | undefined} [options.terminal] if the output is a terminal
 * @param {{ now(): number, every(ms: number, run: () => void): () => void }} [options.timer] milliseconds; for tests
 * @returns {{ enter(phase: string): void, end(): number }} `end` returns the elapsed seconds
 */
export function buildProgress({ part, print, terminal, timer = systemTimer }) {
  const startedAt = timer.now();
  let phase = "";
  const seconds = () => (timer.now() - startedAt) / 1000;
  const show = () => {
    const line = `building ${part}${phase && `: ${phase}`} … ${Math.round(seconds())} s`;
    if (terminal) terminal.write(`${CLEAR_LINE}${`svc: ${line}`.slice(0, (terminal.columns || 80) - 1)}`);
    else print(line);
  };
  show();
  const stop = timer.every(terminal ? TERMINAL_EVERY_MS : LINES_EVERY_MS, show);
  return {
    enter(next) {
      if (next === phase) return;
      phase = next;
      show();
    },
    end() {
      stop();
      terminal?.write(CLEAR_LINE);
      return seconds();
    },
  };
}
