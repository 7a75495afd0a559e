import { readFileSync } from "node:fs";
import type { Io } from "./io";

/** The text of a module: of a file, or of standard input for `-`. */
export async function moduleText(file: string, io: Io): Promise<string> {
  if (file !== "-") return readFileSync(file, "utf8");
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.input()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
