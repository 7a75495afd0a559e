import { Section } from "../../../components/ui/card";
import { ConfirmByName } from "./confirm-by-name";

interface DeleteSectionProps {
  /** What it is, such as "secret". */
  noun: string;
  name: string;
  description: string;
  consequence: string;
  mutation: { error: unknown; isPending: boolean; reset: () => void };
  onConfirm: () => Promise<unknown>;
}

/** The part of a page that deletes what it shows, after its name was typed. */
export const DeleteSection = ({ noun, name, description, ...confirmed }: DeleteSectionProps) => (
  <Section title={`Delete ${noun}`} description={description}>
    <ConfirmByName name={name} label={`Delete ${noun}`} title={`Delete ${name}?`} {...confirmed} />
  </Section>
);
