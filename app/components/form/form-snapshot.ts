/** Everything that a form holds, as a text that is equal as long as nothing was changed. */
export const formSnapshot = (form: HTMLFormElement): string =>
  [...new FormData(form)]
    .map(([name, value]) => JSON.stringify([name, typeof value === "string" ? value : [value.name, value.size]]))
    // Boxes that were ticked from the start may be drawn again in another order when their list has loaded.
    .sort()
    .join("\n");
