import { Transform } from "node:stream";
import { createRedactor, type RedactedStream } from "../../data/secrets/redactor";

/** What may be the beginning of a value is shown after this time without more output, so that typing is not held up. */
const HELD_MS = 50;

/** Passes bytes on unchanged, but for values of secrets in them, which are replaced. */
export function redactBytes(secrets: readonly string[]): Transform {
  // A byte becomes a character, so that what is no text stays as it is.
  const redactor = createRedactor([...secrets, ...secrets.map((value) => charactersOf(Buffer.from(value)))]);
  let stream: RedactedStream = redactor.stream();
  let timer: NodeJS.Timeout | undefined;
  const show = (text: string): void => {
    if (text !== "") output.push(Buffer.from(text, "latin1"));
  };
  const showHeld = (): void => {
    const held = stream.end();
    stream = redactor.stream();
    show(held);
  };
  const output = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      clearTimeout(timer);
      show(stream.push(charactersOf(chunk)));
      if (stream.held > 0) timer = setTimeout(showHeld, HELD_MS);
      callback();
    },
    flush(callback) {
      clearTimeout(timer);
      showHeld();
      callback();
    },
    destroy(failure, callback) {
      clearTimeout(timer);
      callback(failure);
    },
  });
  return output;
}

const charactersOf = (bytes: Buffer): string => bytes.toString("latin1");
