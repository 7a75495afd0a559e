import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { User } from "./user";

export const userExample: User = {
  id: exampleId("usr"),
  email: "ada@publisher.example",
  email_verified_at: EXAMPLE_TIME,
  created_at: EXAMPLE_TIME,
};

export const passwordExample = "correct horse battery";
