import { CheckboxField } from "../../../components/form/fields";
import type { Mode } from "../../components/shell/mode";
import { GroupError } from "./group-error";
import { useOwnChannels } from "./use-own-channels";

interface ChannelFieldsProps {
  /** Of the campaign; undefined for a new one, which takes the dashboard's. */
  mode: Mode | undefined;
  /** IDs; a channel of another publisher or an archived one is shown by its ID. */
  chosen: readonly string[];
}

/** The tenant's channels by name, to tick those where the campaign may serve. */
export function ChannelFields({ mode, chosen }: ChannelFieldsProps) {
  const { data } = useOwnChannels(mode);
  const own = data?.data ?? [];
  const others = chosen.filter((id) => !own.some((channel) => channel.id === id)).map((id) => ({ id, name: id }));
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium text-sm">
        Channels<span className="font-normal text-muted-foreground"> (optional)</span>
      </legend>
      <GroupError name="targeting.channels" />
      <div className="max-h-48 space-y-2 overflow-y-auto rounded-md border p-3">
        {[...others, ...own].map(({ id, name }) => (
          <CheckboxField
            key={id}
            name="targeting.channels"
            label={name}
            value={id}
            defaultChecked={chosen.includes(id)}
            className="break-words"
          />
        ))}
        {data && own.length + others.length === 0 && (
          <p className="text-muted-foreground text-sm">No channels in this mode yet.</p>
        )}
      </div>
      <p className="text-muted-foreground text-xs leading-5">None selected: all channels.</p>
    </fieldset>
  );
}
