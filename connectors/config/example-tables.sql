-- The four shapes of tables that ScheduleRow knows by name.

CREATE TABLE jobs (
  name text PRIMARY KEY,
  job_class text NOT NULL,
  anchor timestamptz,
  interval integer,
  interval_unit text,
  cron text,
  timezone text,
  args jsonb,
  queue text,
  priority integer,
  enabled boolean NOT NULL DEFAULT true,
  catch_up boolean DEFAULT false
);

CREATE TABLE polls (
  guid uuid PRIMARY KEY,
  interval interval NOT NULL,
  next_run timestamptz,
  last_run timestamptz,
  owner text
);

CREATE TABLE workflows (
  id bigint PRIMARY KEY,
  workflow_id text NOT NULL,
  schedule_type text NOT NULL,
  schedule_expr text NOT NULL,
  status text NOT NULL DEFAULT 'active',
  input_data jsonb
);

CREATE TABLE tasks (
  id text PRIMARY KEY,
  kind text NOT NULL,
  cron_expr text,
  interval_ms bigint,
  paused boolean NOT NULL DEFAULT false,
  next_run_at timestamptz
);

-- Updates and deletes contain the whole row before the change, also large unchanged values.
ALTER TABLE jobs REPLICA IDENTITY FULL;
ALTER TABLE polls REPLICA IDENTITY FULL;
ALTER TABLE workflows REPLICA IDENTITY FULL;
ALTER TABLE tasks REPLICA IDENTITY FULL;
