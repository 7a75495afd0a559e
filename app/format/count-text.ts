import { formatCount } from "./numbers";

/** "1 click", "12,345 clicks" */
export const countText = (count: number, noun: string): string =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;
