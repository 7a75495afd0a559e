"use client";

import { useEffect, useState } from "react";
import { TextField } from "../../components/form/fields";

/** A day typed by keyboard passes other valid days on its way: the year 0002 before 2026. */
const CHOSEN_AFTER_MS = 700;
const FIRST_DAY = "2000-01-01";

interface DayFieldProps {
  name: string;
  label: string;
  /** As YYYY-MM-DD. */
  value: string;
  min?: string;
  max?: string;
  onChoose: (day: string) => void;
}

/** A day that is chosen once the field is left alone for a moment; until then it holds what was typed. */
export function DayField({ value, onChoose, ...field }: DayFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const isChoice = typed !== value && typed >= FIRST_DAY;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed decides when, not who listens.
  useEffect(() => {
    if (!isChoice) return;
    const timer = setTimeout(() => onChoose(typed), CHOSEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, isChoice]);
  return (
    <TextField
      {...field}
      type="date"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => (isChoice ? onChoose(typed) : setTyped(value))}
    />
  );
}
