import { Button } from "../../../../components/ui/button";
import { foldersOf } from "./object-keys";

interface FolderPathProps {
  bucket: string;
  prefix: string;
  onOpen: (prefix: string) => void;
}

/** The bucket and the folders down to the shown one, each a button except the last. */
export const FolderPath = ({ bucket, prefix, onOpen }: FolderPathProps) => {
  const places = [{ name: bucket, prefix: "" }, ...foldersOf(prefix)];
  return (
    <nav aria-label="Folder" className="-mx-1 min-w-0">
      <ol className="flex flex-wrap items-center gap-1 text-sm">
        {places.map(({ name, prefix: target }, i) => (
          <li key={target} className="flex items-center gap-1">
            {i > 0 && (
              <span aria-hidden className="text-muted-foreground">
                /
              </span>
            )}
            {i === places.length - 1 ? (
              <span aria-current="page" className="wrap-anywhere px-1 font-medium">
                {name}
              </span>
            ) : (
              <Button
                variant="ghost"
                size="sm"
                className="wrap-anywhere h-auto min-h-7 whitespace-normal px-1 text-left font-normal text-muted-foreground"
                onClick={() => onOpen(target)}
              >
                {name}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
};
