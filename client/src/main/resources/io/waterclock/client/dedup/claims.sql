-- The fires that services have done. For PostgreSQL 9.5 and later, and for H2 2.
create table if not exists waterclock_claims (
  consumer varchar(255) not null,
  fire_id uuid not null,
  claimed_at timestamp with time zone default current_timestamp not null,
  primary key (consumer, fire_id)
);
create index if not exists waterclock_claims_by_time on waterclock_claims (claimed_at);
