/** Excel reads a file as UTF-8 only behind it. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Saves a text as a CSV file of the reader's computer. */
export function saveCsv(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
