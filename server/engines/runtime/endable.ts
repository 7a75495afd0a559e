import type { Execution, ExecutionExit } from "./execution";

const KILLED: ExecutionExit = { exitCode: null, signal: "SIGKILL" };
/** For a kernel, an engine or a node to report the end of what was killed. */
const END_MS = 5000;

/**
 * `end` and `exited` of an execution: `exited` resolves within 5 s of `end`, even if nothing reports how the program has
 * ended. `kill` ends the program with all that it has started; it is called once.
 */
export function endable(
  reported: Promise<ExecutionExit>,
  { outputs, kill }: { outputs: readonly Execution["stdout"][]; kill: () => void },
): Pick<Execution, "exited" | "end"> {
  let giveUp: (exit: ExecutionExit) => void = () => {};
  const givenUp = new Promise<ExecutionExit>((resolve) => {
    giveUp = resolve;
  });
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const exited = Promise.race([reported, givenUp])
    .catch((cause: unknown) => {
      if (timer === undefined) throw cause;
      return KILLED;
    })
    .finally(() => {
      isOver = true;
      clearTimeout(timer);
    });
  exited.catch(() => undefined);
  const end = () => {
    for (const output of outputs) output.destroy();
    if (isOver || timer !== undefined) return;
    timer = setTimeout(() => giveUp(KILLED), END_MS);
    kill();
  };
  return { exited, end };
}
