/**
 * Returns a copy with room for `needed` elements, at least half as large again, so that growth has amortized constant
 * cost.
 */
export function grown<T extends Uint8Array | Int32Array | Float32Array | Float64Array>(
  array: T,
  needed: number,
  make: new (length: number) => T,
): T {
  const copy = new make(Math.max(needed, Math.ceil(array.length * 1.5) & ~1, 2));
  copy.set(array);
  return copy;
}
