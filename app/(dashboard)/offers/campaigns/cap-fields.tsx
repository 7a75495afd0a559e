import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Button } from "../../../components/ui/button";
import type { Campaign } from "./campaign";
import { windowOf } from "./campaign-choices";

const CAPS_MAX = 10;
const NEW_CAP = { count: 3, window_seconds: 86_400, per: "campaign" } as const;

/** Rows of "at most N views in a window"; their fields are numbered in the order on screen. */
export function CapFields({ caps }: { caps: Campaign["caps"] }) {
  const [rows, setRows] = useState(() => caps.map((cap, row) => ({ ...cap, row })));
  const add = () => setRows([...rows, { ...NEW_CAP, row: Math.max(-1, ...rows.map(({ row }) => row)) + 1 }]);
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1 font-medium text-sm">Frequency caps</legend>
      <input type="hidden" name="caps_rows" value={rows.length} />
      {rows.length === 0 && <p className="text-muted-foreground text-sm">One user may see it any number of times.</p>}
      {rows.map((cap, position) => (
        <CapRow
          key={cap.row}
          cap={cap}
          position={position}
          onRemove={() => setRows(rows.filter(({ row }) => row !== cap.row))}
        />
      ))}
      {rows.length < CAPS_MAX && (
        <Button variant="outline" size="sm" onClick={add} icon={Plus}>
          Add a cap
        </Button>
      )}
    </fieldset>
  );
}

interface CapRowProps {
  cap: Campaign["caps"][number];
  position: number;
  onRemove: () => void;
}

function CapRow({ cap, position, onRemove }: CapRowProps) {
  const { count, unit } = windowOf(cap.window_seconds);
  const name = `caps[${position}]`;
  return (
    <div className="grid grid-cols-2 items-start gap-3 rounded-lg border bg-muted/30 p-3 sm:grid-cols-[1fr_1fr_1fr_1.3fr_auto]">
      <TextField
        name={`${name}.count`}
        label="Views at most"
        type="number"
        min={1}
        max={1000}
        defaultValue={cap.count}
        className="col-span-2 sm:col-span-1"
      />
      <TextField name={`${name}.window_seconds`} label="In" type="number" min={1} defaultValue={count} />
      <SelectField name={`${name}.unit`} label="Unit" defaultValue={unit}>
        <option value="minute">minutes</option>
        <option value="hour">hours</option>
        <option value="day">days</option>
      </SelectField>
      <SelectField name={`${name}.per`} label="Of" defaultValue={cap.per} className="col-span-2 sm:col-span-1">
        <option value="campaign">this campaign</option>
        <option value="advertiser">the advertiser</option>
        <option value="channel">the channel</option>
      </SelectField>
      <Button
        variant="ghost"
        size="icon"
        onClick={onRemove}
        aria-label={`Remove cap ${position + 1}`}
        className="col-span-2 justify-self-end sm:col-span-1 sm:mt-6.5"
      >
        <Trash2 />
      </Button>
    </div>
  );
}
