import { formatCount } from "../../../format/numbers";

interface Listed {
  data: readonly unknown[];
  truncated: boolean;
  left_out: number;
}

/** What follows the list of the files in a folder: why it is empty, or which files it lacks. */
export const FolderEnd = ({ data, truncated, left_out: leftOut }: Listed) => (
  <div className="text-muted-foreground text-sm">
    {data.length === 0 && leftOut === 0 && <p>The folder is empty.</p>}
    {truncated && <p>There are more files.</p>}
    {leftOut > 0 && <p>Not listed, because their names are not UTF-8 text: {formatCount(leftOut)}.</p>}
  </div>
);
