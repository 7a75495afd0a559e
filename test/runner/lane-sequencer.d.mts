import { BaseSequencer } from "vitest/node";

/** The order of test files: by weight and recorded duration, of one lane or of a list. */
export class LaneSequencer extends BaseSequencer {}
