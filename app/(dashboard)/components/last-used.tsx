import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { lastUsedText } from "../../format/dates";

interface LastUsedProps {
  /** ISO 8601, or null for never. */
  at: string | null;
  /** The query that `at` comes from. */
  list: QueryKey;
}

/** When a key was last used, read again before it is shown: people decide by it whether to revoke the key. */
export function LastUsed({ at, list }: LastUsedProps) {
  const queries = useQueryClient();
  const [isCurrent, setCurrent] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: list }).then(() => setCurrent(true));
  }, []);
  return isCurrent ? lastUsedText(at) : "Checking when it was last used…";
}
