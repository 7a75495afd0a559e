import type { Locator, Page } from "playwright-core";

/** The button with the actions of what is called so. */
export const actionsFor = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole("button", { name: typeof name === "string" ? `Actions for ${name}` : name, exact: true });

/** Opens the menu of a row, or the first of several, and chooses an action in it. */
export async function chooseAction(within: Page | Locator, name: string | RegExp, action: string): Promise<void> {
  const button = actionsFor(within, name).first();
  await button.click();
  await button.page().getByRole("menuitem", { name: action, exact: true }).click();
}
