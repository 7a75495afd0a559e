import { CHAT_FRAMES_DEV, CHAT_FRAMES_HELD_OUT, CHAT_FRAMES_HELD_OUT_MORE, EXTRA_WORDS_HELD_OUT } from "./chat-frames";
import { type JudgedFolder, type Judgments, readFolder, relevanceDir } from "./judged-folder";
import { rankOf, stateOf } from "./our-engines";
import { OUT_OF_SCOPE_DEV } from "./out-of-scope-dev";
import { OUT_OF_SCOPE_DEV_MORE } from "./out-of-scope-dev-more";
import { OUT_OF_SCOPE_HELD_OUT } from "./out-of-scope-held-out";

const Z_95 = 1.96;

/** What is asked, and which share of it may or must be served. */
interface Group {
  name: string;
  queries: readonly string[];
  wanted: string;
}

/**
 * How often the gate speaks where it should and keeps silent where it should: the share of queries that get at least one
 * offer, with a 95 % Wilson interval. The development halves were looked at while the gate was tuned, the held-out halves
 * were not. Needs the judged catalogue (SVC_RELEVANCE_DATA).
 */
export async function run(print: (line: string) => void, dataDir = relevanceDir()): Promise<void> {
  if (!dataDir) return print("silence: skipped, set SVC_RELEVANCE_DATA to the folder of the judged catalogue.");
  const folder = readFolder(dataDir);
  const rank = rankOf(stateOf({ items: folder.items, shops: 1 }));
  print(`${"queries".padEnd(40)} ${"served".padStart(12)}  ${"share".padStart(7)}  95 % interval    wanted`);
  for (const { name, queries, wanted } of groupsOf(folder)) {
    if (queries.length === 0) continue;
    const served = queries.filter((query) => rank(query).length > 0).length;
    const [low, high] = wilson(served, queries.length);
    const columns = [`${served} of ${queries.length}`.padStart(12), percent(served / queries.length).padStart(7)];
    print(`${name.padEnd(40)} ${columns.join("  ")}  ${`${percent(low)} - ${percent(high)}`.padEnd(15)}  ${wanted}`);
  }
}

function groupsOf({ judgments, unrelated }: JudgedFolder): Group[] {
  const { inScope, onlyZeros } = splitJudged(judgments);
  const framed = (frames: readonly string[]) =>
    inScope.flatMap((query) => frames.map((frame) => frame.replace("%", () => query)));
  return [
    { name: "out of scope, development half", queries: OUT_OF_SCOPE_DEV, wanted: "<= 1 %" },
    { name: "out of scope, second development round", queries: OUT_OF_SCOPE_DEV_MORE, wanted: "<= 1 %" },
    { name: "out of scope, held-out half", queries: OUT_OF_SCOPE_HELD_OUT, wanted: "<= 1 %" },
    ...unrelated.map(({ name, queries }) => ({ name, queries, wanted: "<= 3 %" })),
    { name: "judged, in scope", queries: inScope, wanted: ">= 97 %" },
    { name: "judged in chat frames, development", queries: framed(CHAT_FRAMES_DEV), wanted: ">= 95 %" },
    { name: "judged in chat frames, held out", queries: framed(CHAT_FRAMES_HELD_OUT), wanted: ">= 75 %" },
    { name: "judged in longer frames, held out", queries: framed(CHAT_FRAMES_HELD_OUT_MORE), wanted: ">= 75 %" },
    {
      name: "judged with extra words, held out",
      queries: framed(EXTRA_WORDS_HELD_OUT.map((words) => `% ${words}`)),
      wanted: ">= 90 %",
    },
    { name: "judged, every product rated 0", queries: onlyZeros, wanted: "no target" },
  ];
}

/** The judged queries that some product answers, and those that none does. */
function splitJudged(judgments: Judgments): { inScope: string[]; onlyZeros: string[] } {
  const best = [...judgments].map(([query, ratings]) => ({ query, rating: Math.max(...ratings.values()) }));
  const queriesOf = (isInScope: boolean) =>
    best.filter(({ rating }) => rating > 0 === isInScope).map(({ query }) => query);
  return { inScope: queriesOf(true), onlyZeros: queriesOf(false) };
}

/** The interval of Wilson (1927) for a share of which `hits` of `all` were seen. */
function wilson(hits: number, all: number): [number, number] {
  const share = hits / all;
  const centre = share + Z_95 ** 2 / (2 * all);
  const reach = Z_95 * Math.sqrt((share * (1 - share)) / all + Z_95 ** 2 / (4 * all ** 2));
  const scale = 1 + Z_95 ** 2 / all;
  return [Math.max(0, (centre - reach) / scale), Math.min(1, (centre + reach) / scale)];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
