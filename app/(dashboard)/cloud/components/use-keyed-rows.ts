import { useState } from "react";

interface KeyedRow<T> {
  /** Stays with the row when others are removed, so that what was typed stays in its fields. */
  key: number;
  row: T;
}

/** The rows of a form, such as rules, which can be added and removed before they are saved. */
export function useKeyedRows<T>(saved: readonly T[], blank: T) {
  const [rows, setRows] = useState<KeyedRow<T>[]>(() => saved.map((row, key) => ({ key, row })));
  const [nextKey, setNextKey] = useState(saved.length);
  const add = () => {
    setRows([...rows, { key: nextKey, row: blank }]);
    setNextKey(nextKey + 1);
  };
  const remove = (key: number) => setRows(rows.filter((row) => row.key !== key));
  return { rows, add, remove };
}
