"use client";

import { useState } from "react";

interface KeyedRule<T> {
  /** Stays with the rule when others are removed, so that what was typed stays in its fields. */
  key: number;
  rule: T;
}

/** The rules of a form, which can be added and removed before they are saved. */
export function useRuleKeys<T>(saved: readonly T[], blank: T) {
  const [rules, setRules] = useState<KeyedRule<T>[]>(() => saved.map((rule, key) => ({ key, rule })));
  const [nextKey, setNextKey] = useState(saved.length);
  const add = () => {
    setRules([...rules, { key: nextKey, rule: blank }]);
    setNextKey(nextKey + 1);
  };
  const remove = (key: number) => setRules(rules.filter((rule) => rule.key !== key));
  return { rules, add, remove };
}
