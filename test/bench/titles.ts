/** Made-up words: 600 qualities, 900 things, 400 brands, about as shop catalogues do: a title asked as a query touches some 200 of 10,000 creatives. */
const SYLLABLES = "ba de fi go ku la me ni po ru sa te vi wo xa yo zu cha dre flo gri klo pla sho tru".split(" ");
const word = (n: number): string => [n % 25, Math.floor(n / 25) % 25, (n * 7) % 25].map((at) => SYLLABLES[at]).join("");
const uneven = (n: number, size: number): number =>
  Math.floor(size * (((n * 2_654_435_761) % 2 ** 32) / 2 ** 32) ** 1.3);

/** A title such as a shop would have: brand, quality, thing and a model number. */
export const titleOf = (i: number): string =>
  `${word(20_000 + uneven(i, 400))} ${word(5000 + uneven(i + 1, 600))} ${word(uneven(i + 2, 900))} ${word(i % 15_000).slice(0, 2)}${i % 1000}`;
