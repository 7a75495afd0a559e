import { bootstrap, type Interval } from "./bootstrap";
import type { MadeCatalogue } from "./made-catalogues";
import type { QuerySet } from "./made-queries";
import { type Mark, type Marks, mainMarks, meanOf } from "./marks";

/** What was measured over one catalogue; lists by engine are in the order of `engines`, ours first. */
export interface Measured {
  catalogue: MadeCatalogue;
  engines: readonly string[];
  sets: readonly { set: QuerySet; marks: readonly Marks[] }[];
  /** The share of requests with an offer, 0 to 1. */
  unrelated: readonly { name: string; queries: readonly string[]; shares: readonly number[] }[];
  seconds: number;
}

/** Ours and ours without the gate. */
const OURS = 2;
const NAME_WIDTH = 26;
const ENGINE_WIDTH = 17;

/** One line per query set: its two main marks and the share served, by engine, and ours minus the best peer. */
export function printCatalogue(measured: Measured, print: (line: string) => void): void {
  const { catalogue, engines, sets, unrelated, seconds } = measured;
  const shops = catalogue.shops === 1 ? "1 shop" : `${catalogue.shops} shops`;
  print(`\n${catalogue.name}: ${catalogue.items.length} items, ${shops}; measured in ${seconds.toFixed(0)} s`);
  print(
    "judged: NDCG@8, P@1, % with an offer; others: hit@8, MRR, % with an offer; last: ours - best peer, by the first",
  );
  print(line("", "n", [...engines.map((name) => name.slice(0, ENGINE_WIDTH - 1)), "ours - best peer"]));
  for (const { set, marks } of sets) {
    const cells = marks.map((one) => cellOf(set, one));
    print(line(set.name, set.asked.length, [...cells, differenceOf(set, marks)]));
  }
  for (const { name, queries, shares } of unrelated) {
    print(
      line(
        `no offer: ${name}`,
        queries.length,
        shares.map((share) => `          ${percent(share)}`),
      ),
    );
  }
}

/** A matrix of catalogues and sets: the main mark of ours and its difference to the best peer, `*` if it is not chance. */
export function printSummary(all: readonly Measured[], print: (line: string) => void): void {
  print("\nSummary: ours, and ours - best peer; judged NDCG@8, others hit@8; * the 95 % interval excludes 0\n");
  const names = [...new Set(all.flatMap(({ sets }) => sets.map(({ set }) => set.name)))];
  print(line("", "", names.map(shortName)));
  for (const { catalogue, sets } of all) {
    const cells = names.map((name) => {
      const found = sets.find(({ set }) => set.name === name);
      return found ? summaryOf(found.set, found.marks) : "";
    });
    print(line(catalogue.name, "", cells));
  }
  print("\n% of requests with an offer from ours: unrelated ones\n");
  const lists = [...new Set(all.flatMap(({ unrelated }) => unrelated.map(({ name }) => name)))];
  print(
    line(
      "",
      "",
      lists.map((name) => name.replace(/^out-of-scope-|\.csv$/g, "").slice(0, ENGINE_WIDTH - 1)),
    ),
  );
  for (const { catalogue, unrelated } of all) {
    const shareIn = (list: string) => unrelated.find(({ name }) => name === list)?.shares[0];
    const cells = lists.map((list) => {
      const share = shareIn(list);
      return share === undefined ? "" : `${(100 * share).toFixed(1)}`;
    });
    print(line(catalogue.name, "", cells));
  }
}

const shortName = (name: string): string =>
  name
    .replace(/^(judged|known), framed/, "$1 framed")
    .replace("known, ", "")
    .replace(" framed, held out", " held out")
    .slice(0, ENGINE_WIDTH - 1);

/** Rows of NDCG@8 and P@1 with their intervals. */
export function printRows(rows: readonly { name: string; marks: Marks }[], print: (line: string) => void): void {
  print(`${"".padEnd(NAME_WIDTH)} ${"NDCG@8".padEnd(24)} P@1`);
  for (const { name, marks } of rows) {
    print(`${name.padEnd(NAME_WIDTH)} ${ranged(bootstrap(marks.ndcg)).padEnd(24)} ${ranged(bootstrap(marks.first))}`);
  }
}

const line = (name: string, count: number | string, cells: readonly string[]): string =>
  `${name.padEnd(NAME_WIDTH)} ${String(count).padStart(4)}  ${cells.map((cell) => cell.padEnd(ENGINE_WIDTH)).join("")}`.trimEnd();

function cellOf(set: QuerySet, marks: Marks): string {
  const [first, second] = mainMarks(set).map((mark) => short(meanOf(marks[mark])));
  return `${first} ${second} ${percent(meanOf(marks.served))}`;
}

const differenceOf = (set: QuerySet, marks: readonly Marks[]): string => signed(toBestPeer(set, marks));

function summaryOf(set: QuerySet, marks: readonly Marks[]): string {
  const [first] = mainMarks(set);
  const difference = toBestPeer(set, marks);
  const isSure = difference.low > 0 || difference.high < 0;
  const sign = difference.mean < 0 ? "-" : "+";
  return `${short(meanOf(marks[0]?.[first] ?? []))} ${sign}${short(Math.abs(difference.mean))}${isSure ? "*" : ""}`;
}

/** Ours minus the peer with the best mean of the set's first mark, paired by request. */
function toBestPeer(set: QuerySet, marks: readonly Marks[]): Interval {
  const [first]: readonly Mark[] = mainMarks(set);
  const valuesOf = (one: Marks | undefined) => (first && one?.[first]) ?? [];
  const best = marks.slice(OURS).reduce((top, one) => (meanOf(valuesOf(one)) > meanOf(valuesOf(top)) ? one : top));
  const theirs = valuesOf(best);
  return bootstrap(valuesOf(marks[0]).map((value, i) => value - (theirs[i] ?? 0)));
}

const short = (value: number): string => value.toFixed(3).replace(/^0/, "");
const percent = (share: number): string => `${Math.round(100 * share)}%`;
const ranged = ({ mean, low, high }: Interval): string => `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
const signed = (interval: Interval): string => ranged(interval).replace(/(^|\[|, )(?=\d)/g, "$1+");
