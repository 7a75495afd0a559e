import type { NodePotential } from "./node-potential";
import type { NodeTable, NodeType } from "./node-table";
import { fitsType, type Shape } from "./shape-table";
import { NO_KEY, WinnerTree } from "./winner-tree";

interface ShapeScores {
  /** The prices that the scores were computed with. */
  potential: NodePotential;
  /** By type; undefined where the type cannot hold the shape. */
  trees: (WinnerTree | undefined)[];
  /** Where in the table's log the scores are up to date. */
  position: number;
}

/** Room in a key for the idle thousandths of a node, at most 16,000, below its level. */
const IDLE_RANGE = 2 ** 14;
const LEVEL_MAX = 2 ** 16;

/**
 * For each shape the score of every node, in one tournament tree per type of node, so that a decision evaluates only the
 * nodes that changed since the shape's last one. A score is the gain rounded to a multiple of `quantum`; equal scores go
 * to the node with the fewest idle GPUs, then to the first of its type, then to the first type.
 */
export class ScoreIndex {
  readonly #byShape = new Map<number, ShapeScores>();

  constructor(
    private readonly table: NodeTable,
    private readonly quantum: number,
  ) {}

  /** The best node for a shape, undefined if none can hold it. `extraLevels` is added to the level of a type's nodes. */
  best(shape: Shape, potential: NodePotential, extraLevels: (typeId: number) => number): number | undefined {
    const { trees } = this.#upToDate(shape, potential);
    let best: number | undefined;
    let bestLevel = 0;
    let bestIdle = 0;
    for (let t = 0; t < trees.length; t++) {
      const tree = trees[t];
      if (!tree || tree.highest === NO_KEY) continue;
      const level = Math.floor(tree.highest / IDLE_RANGE) + extraLevels(t);
      const idle = IDLE_RANGE - 1 - (tree.highest & (IDLE_RANGE - 1));
      if (best !== undefined && (level < bestLevel || (level === bestLevel && idle >= bestIdle))) continue;
      best = (this.table.types[t] as NodeType).nodes[tree.first] as number;
      bestLevel = level;
      bestIdle = idle;
    }
    return best;
  }

  forget(shape: Shape): void {
    this.#byShape.delete(shape.id);
  }

  #upToDate(shape: Shape, potential: NodePotential): ShapeScores {
    const { table } = this;
    const known = this.#byShape.get(shape.id);
    const changes = known?.potential === potential ? table.changesSince(known.position) : undefined;
    if (!known || !changes || changes.length > table.length || !hasRoom(known, table)) {
      return this.#rebuilt(shape, potential);
    }
    for (let i = 0; i < changes.length; i++) {
      const node = changes[i] as number;
      const tree = known.trees[table.typeOf[node] as number];
      if (tree) tree.set(table.rank[node] as number, this.#key(shape, node, potential));
    }
    known.position = table.position;
    return known;
  }

  #rebuilt(shape: Shape, potential: NodePotential): ShapeScores {
    const known = this.#byShape.get(shape.id)?.trees;
    const trees = this.table.types.map((type, t) =>
      fitsType(shape, type) ? this.#filled(known?.[t], type, (node) => this.#key(shape, node, potential)) : undefined,
    );
    const scores = { potential, trees, position: this.table.position };
    this.#byShape.set(shape.id, scores);
    return scores;
  }

  /** The keys of all nodes of a type; unused nodes have the same key. */
  #filled(known: WinnerTree | undefined, { nodes }: NodeType, keyOf: (node: number) => number): WinnerTree {
    const { table } = this;
    const tree = known && known.slots >= nodes.length ? known : new WinnerTree(nodes.length);
    let unusedKey: number | undefined;
    for (let rank = 0; rank < nodes.length; rank++) {
      const node = nodes[rank] as number;
      if (table.isOpen[node] === 0 || !table.isUnused(node)) {
        tree.put(rank, keyOf(node));
        continue;
      }
      unusedKey ??= keyOf(node);
      tree.put(rank, unusedKey);
    }
    tree.build();
    return tree;
  }

  #key(shape: Shape, node: number, potential: NodePotential): number {
    if (this.table.isOpen[node] === 0) return NO_KEY;
    const gain = potential.gain(shape, node);
    if (gain === undefined) return NO_KEY;
    const level = Math.max(-LEVEL_MAX, Math.min(LEVEL_MAX - 1, Math.round(gain / this.quantum)));
    return level * IDLE_RANGE + (IDLE_RANGE - 1 - (this.table.idleMilli[node] as number));
  }
}

/** Whether the trees have a slot for every node; types may have been added and may have grown. */
const hasRoom = ({ trees }: ShapeScores, { types }: NodeTable): boolean =>
  trees.length === types.length && trees.every((tree, t) => !tree || tree.slots >= (types[t] as NodeType).nodes.length);
