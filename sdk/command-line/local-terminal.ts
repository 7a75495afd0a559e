import type { ReadStream, WriteStream } from "node:tty";
import type { LocalTerminal } from "./io";

interface Streams {
  stdin: ReadStream;
  stdout: WriteStream;
  stderr: WriteStream;
}

/** The terminal of a process whose standard input is one. Its size is that of the output, or else of the errors. */
export function localTerminal({ stdin, stdout, stderr }: Streams): LocalTerminal {
  const shown = [stdout, stderr].find(({ isTTY }) => isTTY);
  return {
    size: () => shown && { columns: shown.columns, rows: shown.rows },
    enterRawMode: () => {
      stdin.setRawMode(true);
      return () => {
        // A terminal that was hung up cannot be restored, and need not be.
        if (!stdin.destroyed) stdin.setRawMode(false);
      };
    },
    onResize: (changed) => {
      shown?.on("resize", changed);
      return () => shown?.off("resize", changed);
    },
  };
}
