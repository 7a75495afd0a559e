/** The services of the plane gpuc whose resources are instances, with the word that `gpuc_instances_list` has for them. */
export const INSTANCE_SERVICES = ["gpu", "cpu", "baremetal"] as const;

/** The same with their plane. */
export const INSTANCES = INSTANCE_SERVICES.map((service) => ({ plane: "gpuc" as const, service }));
