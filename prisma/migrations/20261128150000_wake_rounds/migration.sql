-- Wakes the rounds of background work named by the arguments of a trigger, in every process, when the transaction commits.
-- Postgres delivers the same topic once per transaction.
CREATE FUNCTION wake_rounds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 0 .. TG_NARGS - 1 LOOP
    PERFORM pg_notify('svc_rounds', TG_ARGV[i]);
  END LOOP;
  RETURN NULL;
END
$$;
