/** Mean rejections by size, such as "share 978.0, 1 1393.5"; sizes are GPUs, 0.5 for a share of one. */
export function rejectedBySize(runs: readonly ReadonlyMap<number, number>[]): string {
  const sizes = [...new Set(runs.flatMap((run) => [...run.keys()]))].sort((a, b) => a - b);
  return sizes
    .map(
      (size) =>
        `${sizeName(size)}: ${(runs.reduce((sum, run) => sum + (run.get(size) ?? 0), 0) / runs.length).toFixed(1)}`,
    )
    .join(", ");
}

export const sizeName = (size: number): string => (size === 0 ? "CPU" : size === 0.5 ? "share" : String(size));
