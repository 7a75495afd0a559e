const QUANTITY = /^([0-9]+(?:\.[0-9]+)?)(m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$/;
const FACTORS: Readonly<Record<string, number>> = {
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** Whether two amounts of Kubernetes, such as `1Ti` and `1024Gi`, are equal. */
export function sameQuantity(a: string | undefined, b: string): boolean {
  const [one, other] = [amountOf(a ?? ""), amountOf(b)];
  return one !== undefined && one === other;
}

function amountOf(text: string): number | undefined {
  const [, number, unit = ""] = QUANTITY.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (FACTORS[unit] ?? Number.NaN);
}
