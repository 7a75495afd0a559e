/** A link that names a row or a line of text. */
export const ROW_LINK = "rounded-sm font-medium underline-offset-4 hover:text-primary hover:underline";
