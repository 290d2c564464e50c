-- the columns and indexes that db-scheduler 16 wants; it ships no script
CREATE TABLE scheduled_tasks (
  task_name            TEXT NOT NULL,
  task_instance        TEXT NOT NULL,
  task_data            BYTEA,
  execution_time       TIMESTAMP WITH TIME ZONE,
  picked               BOOLEAN NOT NULL,
  picked_by            TEXT,
  last_success         TIMESTAMP WITH TIME ZONE,
  last_failure         TIMESTAMP WITH TIME ZONE,
  consecutive_failures INT,
  last_heartbeat       TIMESTAMP WITH TIME ZONE,
  version              BIGINT NOT NULL,
  priority             SMALLINT,
  state                TEXT,
  PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX ON scheduled_tasks (execution_time);
CREATE INDEX ON scheduled_tasks (last_heartbeat);
