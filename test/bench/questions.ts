import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { csvRows } from "./csv-rows";

/** Questions that no shop answers, in halves that share no intent. */
export interface Questions {
  /** Only counted for the general word list. */
  forWords: readonly string[];
  /** Only fitted and measured with. */
  forFit: readonly string[];
}

/** Reads `out-of-scope*.csv` with the columns query and intent; questions of the intent `oos` are split one by one. */
export function readQuestions(dir: string): Questions {
  const rows = readdirSync(dir)
    .filter((name) => /^out-of-scope.*\.csv$/.test(name))
    .flatMap((name) => csvRows(readFileSync(path.join(dir, name), "utf8")).slice(1));
  const isForWords = ([query = "", intent = ""]: readonly string[]) =>
    (createHash("md5")
      .update(intent === "oos" || intent === "" ? query : intent)
      .digest()[0] ?? 0) %
      2 ===
    0;
  const queriesOf = (some: readonly (readonly string[])[]) => some.map(([query = ""]) => query);
  return {
    forWords: queriesOf(rows.filter(isForWords)),
    forFit: queriesOf(rows.filter((row) => !isForWords(row))),
  };
}
