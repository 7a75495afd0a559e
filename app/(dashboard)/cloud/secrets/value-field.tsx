import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Field } from "../../../components/form/fields";
import { Button } from "../../../components/ui/button";
import { cn } from "../../../components/ui/cn";
import { Textarea } from "../../../components/ui/input";

/** The value of a secret, hidden until asked: a password field would remove the line breaks of a pasted private key. */
export function ValueField() {
  const [shown, setShown] = useState(false);
  return (
    <Field
      name="value"
      label="Value"
      hint="Up to 64 KiB of text, stored exactly as it is, with its spaces and line breaks."
      render={(control) => (
        <div className="space-y-2">
          <Textarea
            {...control}
            rows={3}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={cn("font-mono", !shown && "[-webkit-text-security:disc]")}
          />
          <Button variant="outline" size="sm" onClick={() => setShown(!shown)}>
            {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            {shown ? "Hide value" : "Show value"}
          </Button>
        </div>
      )}
    />
  );
}
