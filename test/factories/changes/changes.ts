import { readdirSync } from "node:fs";
import type { Change } from "./change";

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith("-changes.ts"));
const lists: { changes: readonly Change[] }[] = await Promise.all(files.map((file) => import(`./${file}`)));

/** Every operation that records something, except those that need a node: what the files beside this one list. */
export const CHANGES: readonly Change[] = lists.flatMap(({ changes }) => changes);
