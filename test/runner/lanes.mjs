import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** What starts a process, a browser, an engine or workloads. */
const STARTERS =
  /^import (?!type).* from "(node:child_process|playwright-core|.*\/(start-postgres|start-clickhouse|start-runtime|launch-workerd))"/m;
const RELATIVE_IMPORT = /(?:^|\n)(?:import|export) (?!type)[^;"]*? from "(\.[^"]+)"/g;
/** Of a file that test/durations.json does not list: about the average of those that take less than `LISTED_FROM_SECONDS`. */
const UNLISTED_SECONDS = 0.3;
/** Shorter files make no difference to the division. */
export const LISTED_FROM_SECONDS = 3;

/** Files that run at a time: one of the first lane, and two of the second. Each waits for something half of its time. */
const FILES_AT_A_TIME = 3;

/**
 * Divides files among two lanes that end at about the same time. The first lane begins with browsers, then takes files
 * that start processes, the longest first, until it has a third of the time. The second has the rest, which two workers
 * take: about one at a time starts processes, and the other does not.
 */
export function planLanes(files, { rootDir, seconds }) {
  const starts = startersIn(rootDir);
  const weighed = files
    .map((one) => ({ ...one, seconds: seconds[one.file] ?? UNLISTED_SECONDS, weight: weightOf(one, starts) }))
    .sort((a, b) => b.weight - a.weight || b.seconds - a.seconds || (a.file < b.file ? -1 : 1));
  const share = sumOf(weighed) / FILES_AT_A_TIME;
  const first = [];
  let taken = 0;
  for (const one of weighed) {
    if (taken + one.seconds / 2 > share) break;
    first.push(one);
    taken += one.seconds;
  }
  const rest = weighed.slice(first.length);
  return [
    first,
    interleave(
      rest.filter(({ weight }) => weight > 0),
      rest.filter(({ weight }) => weight === 0),
    ),
  ];
}

const sumOf = (files) => files.reduce((sum, { seconds }) => sum + seconds, 0);

/** Both lists in one, so that at any time about the same share of either is over. */
function interleave(a, b) {
  const [ofA, ofB] = [sumOf(a) || 1, sumOf(b) || 1];
  const merged = [];
  let [doneA, doneB, i, j] = [0, 0, 0, 0];
  while (i < a.length || j < b.length) {
    if (j >= b.length || (i < a.length && doneA / ofA <= doneB / ofB)) {
      doneA += a[i].seconds;
      merged.push(a[i++]);
    } else {
      doneB += b[j].seconds;
      merged.push(b[j++]);
    }
  }
  return merged;
}

const weightOf = ({ project, file }, starts) => (project === "pages" ? 2 : Number(starts(file)));

/** Whether a test file starts something, itself or by what it imports of the tests' own modules. */
function startersIn(rootDir) {
  const known = new Map();
  const starts = (file) => {
    if (known.has(file)) return known.get(file);
    known.set(file, false);
    const full = path.join(rootDir, file);
    const text = existsSync(full) ? readFileSync(full, "utf8") : "";
    const imported = [...text.matchAll(RELATIVE_IMPORT)]
      .map(([, to]) => path.join(path.dirname(file), /\.(ts|tsx|mjs)$/.test(to) ? to : `${to}.ts`))
      .filter((to) => to.startsWith("test/"));
    const isStarter = STARTERS.test(text) || imported.some(starts);
    known.set(file, isStarter);
    return isStarter;
  };
  return starts;
}
