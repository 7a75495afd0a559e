/** A variable, different for each execution, that its processes have where no control group holds them. */
export const EXECUTION_MARK = "SVC_EXECUTION";
