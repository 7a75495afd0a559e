import { useEffect, useState } from "react";
import { TextField } from "../../components/form/fields";

/** Typing a date passes through other valid dates: the year 0002 before 2026. */
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

/** A date input that reports a date once typing pauses or the field loses focus. */
export function DayField({ value, onChoose, ...field }: DayFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const isChoice = typed !== value && typed >= FIRST_DAY;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the typed value restarts the timer.
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
