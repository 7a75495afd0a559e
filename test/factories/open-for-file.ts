import { afterAll } from "vitest";

interface Stopped {
  stop: () => unknown;
}

interface Closed {
  close: () => unknown;
}

/** Opens what all tests of a file use: at the top of the file, by `const x = await openForFile(open())`. It is stopped or closed after the last test. */
export async function openForFile<T extends Stopped | Closed>(opening: Promise<T> | T): Promise<T> {
  const opened = await opening;
  afterAll(async () => {
    await ("stop" in opened ? opened.stop() : opened.close());
  });
  return opened;
}
