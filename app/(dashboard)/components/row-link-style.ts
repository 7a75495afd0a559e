/** A link in a table's row heading or in text. */
export const ROW_LINK_STYLE = "rounded-sm font-medium underline-offset-4 hover:text-primary hover:underline";
