"use client";

import { useEffect, useState } from "react";
import { TextField } from "../../../components/form/fields";

const PAUSE_MS = 250;

interface SearchFieldProps {
  /** What is searched for now. */
  value: string;
  /** Called when the reader pauses while typing. */
  onSearch: (text: string) => void;
}

/** Searches by name while somebody types. */
export function SearchField({ value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the pause.
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      name="search"
      label="Name"
      placeholder="Search by name"
      type="search"
      maxLength={100}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
