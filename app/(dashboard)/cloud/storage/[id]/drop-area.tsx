import { type DragEvent, type ReactNode, useState } from "react";
import { cn } from "../../../../components/ui/cn";

interface DropAreaProps {
  isActive: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** Takes files that are dragged onto it; the button does the same with the keyboard. */
export function DropArea({ isActive, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => isActive && dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files has a button as its alternative.
    <div
      className={cn("space-y-4 rounded-lg", isOver && "outline-2 outline-primary outline-offset-8 outline-dashed")}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}
