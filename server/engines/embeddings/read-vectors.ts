const COMPONENTS_MAX = 4096;

/** What is wrong with a response; the message quotes nothing of it. */
export class VectorsError extends Error {}

/**
 * The vectors of an `/embeddings` response, in the order of the `count` texts. Throws a VectorsError that names the first
 * defect: a number of vectors other than `count`, unequal lengths or lengths outside of 1 to 4096, components that are
 * not finite numbers, or a vector of zeros, which has no direction.
 */
export function readVectors(response: unknown, count: number): number[][] {
  const data = (response as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw new VectorsError("the response has no array `data`");
  if (data.length !== count) throw new VectorsError(`${data.length} vectors instead of ${count}`);
  const vectors = new Array<number[]>(count);
  for (const [at, entry] of data.entries()) {
    const { index = at, embedding } = (entry ?? {}) as { index?: unknown; embedding?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || vectors[index as number]) {
      throw new VectorsError("the indexes of the vectors are not 0 to the number of texts");
    }
    vectors[index as number] = checked(embedding);
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new VectorsError("vectors of different lengths");
  return vectors;
}

function checked(embedding: unknown): number[] {
  if (!Array.isArray(embedding)) throw new VectorsError("a vector is not an array of numbers");
  if (embedding.length < 1 || embedding.length > COMPONENTS_MAX) {
    throw new VectorsError(`a vector has ${embedding.length} components instead of 1 to ${COMPONENTS_MAX}`);
  }
  if (!embedding.every(Number.isFinite)) throw new VectorsError("a component of a vector is not a finite number");
  if (embedding.every((component) => component === 0)) throw new VectorsError("a vector has only zeros");
  return embedding;
}
