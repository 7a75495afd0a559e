/** Finds many ASCII words in bytes, in upper or lower case: the automaton of Aho and Corasick (1975) as one table. */
export interface ByteAutomaton {
  /** The column of each byte. */
  columnOf: Uint8Array;
  /** The state after a state and a column: `next[state + column]`. States are multiples of the number of columns. */
  next: Int32Array;
  /** States from this one on are the ends of words. */
  firstEnd: number;
  /** The indexes of the words that end in a state, the longest first. */
  endsAt: (state: number) => readonly number[];
}

interface Node {
  children: Map<number, Node>;
  fail: Node | undefined;
  words: number[];
  id: number;
}

const newNode = (): Node => ({ children: new Map(), fail: undefined, words: [], id: 0 });
const folded = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** The words must not be empty. A word is given as text, whose UTF-8 bytes are searched. */
export function byteAutomaton(words: readonly string[]): ByteAutomaton {
  const texts = words.map((word) => [...Buffer.from(word, "utf8")].map(folded));
  const columnOf = columnsOf(texts);
  const columns = Math.max(...columnOf) + 1;
  const root = trieOf(texts);
  const nodes = linked(root);
  const ordered = [...nodes.filter(({ words: ends }) => ends.length === 0), ...nodes.filter((n) => n.words.length > 0)];
  for (const [i, node] of ordered.entries()) node.id = i * columns;
  const next = new Int32Array(ordered.length * columns);
  // Breadth first: the row of the shorter suffix is complete when it is copied.
  for (const node of nodes) {
    if (node.fail) next.copyWithin(node.id, node.fail.id, node.fail.id + columns);
    for (const [byte, child] of node.children) next[node.id + (columnOf[byte] ?? 0)] = child.id;
  }
  const byState = new Map(ordered.map((node) => [node.id, node.words] as const));
  const firstEnd = ordered.find(({ words: ends }) => ends.length > 0)?.id ?? next.length;
  return { columnOf, next, firstEnd, endsAt: (state) => byState.get(state) ?? [] };
}

/** Bytes that no word has share column 0. */
function columnsOf(texts: readonly (readonly number[])[]): Uint8Array {
  const columnOf = new Uint8Array(256);
  let columns = 0;
  for (const byte of texts.flat()) if (columnOf[byte] === 0) columnOf[byte] = ++columns;
  for (let upper = 0x41; upper <= 0x5a; upper++) columnOf[upper] = columnOf[upper + 0x20] ?? 0;
  return columnOf;
}

function trieOf(texts: readonly (readonly number[])[]): Node {
  const root = newNode();
  for (const [i, text] of texts.entries()) {
    let node = root;
    for (const byte of text) {
      const child = node.children.get(byte) ?? newNode();
      node.children.set(byte, child);
      node = child;
    }
    node.words.push(i);
  }
  return root;
}

/** Links every node to that of its longest proper suffix. Returns the nodes breadth first. */
function linked(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const [byte, child] of node.children) {
      let fail = node.fail;
      while (fail && !fail.children.has(byte)) fail = fail.fail;
      child.fail = fail?.children.get(byte) ?? root;
      child.words.push(...child.fail.words);
      nodes.push(child);
    }
  }
  return nodes;
}
