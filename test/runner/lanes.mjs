import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** What starts a process, a browser, an engine or workloads. */
const STARTERS =
  /^import (?!type).* from "(node:child_process|playwright-core|.*\/(start-postgres|start-clickhouse|start-runtime|launch-workerd))"/m;
const RELATIVE_IMPORT = /(?:^|\n)(?:import|export) (?!type)[^;"]*? from "(\.[^"]+)"/g;
const UNKNOWN_SECONDS = 2;

/**
 * Divides files among two lanes that end at about the same time. The first lane begins with browsers, then takes files
 * that start processes, the longest first, until it has half of the time; the second has the rest, the cheap files first.
 * So files with processes of their own run two at a time only where they are more than half of the time.
 */
export function planLanes(files, { rootDir, seconds }) {
  const known = Object.values(seconds);
  const average = known.length > 0 ? known.reduce((a, b) => a + b, 0) / known.length : UNKNOWN_SECONDS;
  const starts = startersIn(rootDir);
  const weighed = files
    .map((one) => ({ ...one, seconds: seconds[one.file] ?? average, weight: weightOf(one, starts) }))
    .sort((a, b) => b.weight - a.weight || b.seconds - a.seconds || (a.file < b.file ? -1 : 1));
  const half = weighed.reduce((sum, one) => sum + one.seconds, 0) / 2;
  const first = [];
  let taken = 0;
  for (const one of weighed) {
    if (taken + one.seconds / 2 > half) break;
    first.push(one);
    taken += one.seconds;
  }
  const rest = weighed.slice(first.length).sort((a, b) => a.weight - b.weight || b.seconds - a.seconds);
  return [first, rest];
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
