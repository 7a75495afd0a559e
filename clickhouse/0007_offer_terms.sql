-- What term affinities are learned from: the place of an offer in its response, 0 for the first, and the words of the
-- query that named what was wanted, as catalogue items have them. Both are 0 and empty for offers from before.

ALTER TABLE offers ADD COLUMN IF NOT EXISTS position UInt8 DEFAULT 0;
ALTER TABLE offers ADD COLUMN IF NOT EXISTS terms Array(LowCardinality(String)) DEFAULT [];
