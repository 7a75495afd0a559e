/** The folder that the editor shows. */
export const ROOT = "/workspace";

/** A path as people read it, without the folder of the workspace. */
export const shownPath = (path: string): string => (path === ROOT ? "" : path.slice(ROOT.length + 1));

/** The path that people mean: below the folder of the workspace, without empty parts, "." and "..". */
export function pathFrom(text: string): string {
  const parts = text.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  return [ROOT, ...parts].join("/");
}

/** Whether a path is a folder or in it. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
