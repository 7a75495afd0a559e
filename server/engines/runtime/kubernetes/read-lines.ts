import { StringDecoder } from "node:string_decoder";

const LINE_CHARS_MAX = 8 * 1024 ** 2;

/** The lines of a stream that are not empty. Fails when the stream fails, and for a line of more than 8 Mi characters. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARS_MAX) throw new Error("the API server sent a line that is too long");
    yield* lines.filter((line) => line !== "");
  }
}
