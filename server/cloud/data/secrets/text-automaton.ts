/** Finds many patterns in a text in one pass: the automaton of Aho and Corasick (1975) over UTF-16 code units. */
export interface TextAutomaton {
  /** The state after another code unit; 0 is the first state. Amortized over a text its time is constant. */
  next: (node: number, unit: number) => number;
  /** The length of the longest pattern that ends here; 0: none. */
  longestAt: (node: number) => number;
  /** The length of the longest beginning of a pattern that ends here. */
  depthOf: (node: number) => number;
}

const UNITS = 0x1_0000;

/** Its memory is about 20 bytes for each code unit of the patterns; most states have one child, which is kept in arrays. */
export function textAutomaton(patterns: readonly string[]): TextAutomaton {
  const size = patterns.reduce((sum, { length }) => sum + length, 1);
  const trie: Trie = {
    unit: new Uint16Array(size),
    child: new Int32Array(size),
    parent: new Int32Array(size),
    depth: new Int32Array(size),
    fail: new Int32Array(size),
    longest: new Int32Array(size),
    more: new Map(),
    count: 1,
  };
  for (const pattern of patterns) add(trie, pattern);
  linkFailures(trie);
  return {
    next: (node, unit) => follow(trie, node, unit),
    longestAt: (node) => trie.longest[node] ?? 0,
    depthOf: (node) => trie.depth[node] ?? 0,
  };
}

interface Trie {
  /** The code unit by which a state is reached. */
  unit: Uint16Array;
  /** A state's first child; 0: none. */
  child: Int32Array;
  parent: Int32Array;
  depth: Int32Array;
  /** The state of the longest proper suffix that is the beginning of a pattern. */
  fail: Int32Array;
  longest: Int32Array;
  /** Further children, by state and code unit. */
  more: Map<number, number>;
  count: number;
}

function childOf({ child, unit, more }: Trie, node: number, wanted: number): number {
  const first = child[node] ?? 0;
  if (first === 0) return 0;
  return unit[first] === wanted ? first : (more.get(node * UNITS + wanted) ?? 0);
}

function add(trie: Trie, pattern: string): void {
  let node = 0;
  for (let i = 0; i < pattern.length; i++) {
    const wanted = pattern.charCodeAt(i);
    node = childOf(trie, node, wanted) || addChild(trie, node, wanted);
  }
  trie.longest[node] = pattern.length;
}

function addChild(trie: Trie, node: number, wanted: number): number {
  const made = trie.count++;
  trie.unit[made] = wanted;
  trie.parent[made] = node;
  trie.depth[made] = (trie.depth[node] ?? 0) + 1;
  if (trie.child[node]) trie.more.set(node * UNITS + wanted, made);
  else trie.child[node] = made;
  return made;
}

function follow(trie: Trie, from: number, unit: number): number {
  for (let node = from; ; node = trie.fail[node] ?? 0) {
    const found = childOf(trie, node, unit);
    if (found !== 0 || node === 0) return found;
  }
}

/** Breadth first: the failure link of a state depends on those of shorter beginnings. */
function linkFailures(trie: Trie): void {
  const { depth, parent, unit, fail, longest, count } = trie;
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => (depth[a] ?? 0) - (depth[b] ?? 0));
  for (const node of order) {
    const up = parent[node] ?? 0;
    if (node === 0 || up === 0) continue;
    const link = follow(trie, fail[up] ?? 0, unit[node] ?? 0);
    fail[node] = link;
    longest[node] ||= longest[link] ?? 0;
  }
}
