import { readFileSync } from "node:fs";
import type { Io } from "./io";
import { strictText } from "./strict-text";

/** The text of a module: of a file, or of standard input for `-`. */
export async function moduleText(file: string, io: Io): Promise<string> {
  if (file !== "-") return strictText(readFileSync(file), file);
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.input()) chunks.push(chunk);
  return strictText(Buffer.concat(chunks), "Standard input");
}
