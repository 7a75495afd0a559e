/** Every place of a text that has a word of the list, as `file:line: word -> what to write instead`. */
export function findWords(file: string, text: string): string[];
