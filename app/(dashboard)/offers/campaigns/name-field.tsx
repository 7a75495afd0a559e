import { TextField } from "../../../components/form/fields";
import type { EditedCampaign } from "./campaign";

export const NameField = ({ campaign }: EditedCampaign) => (
  <TextField name="name" label="Name" defaultValue={campaign?.name} maxLength={200} />
);
